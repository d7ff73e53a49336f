// Small helpers to make elements.

/** Makes an element: attributes that begin with "on" are listeners, others are set unless they are false or missing. */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else if (key === "class") element.className = `${element.className} ${value}`.trim();
    else element.setAttribute(key, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Shows what went wrong. */
export function complain(error) {
  const text = error?.message ?? String(error);
  const toasts = document.getElementById("toasts");
  const toast = h("div.toast", {}, h("p", {}, text), h("button.plain", { type: "button", "aria-label": "Close this message", onclick: () => toast.remove() }, "×"));
  toasts.append(toast);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => toast.remove(), 12000);
}

/** A listener that shows what goes wrong in it. */
export function guarded(work) {
  return async (...parts) => {
    try {
      return await work(...parts);
    } catch (error) {
      complain(error);
    }
  };
}

export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick: guarded(onclick), ...attributes }, text);
}

/** Saves a text that the page has as a file. */
export function download(name, text, type = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** An SVG that was made elsewhere as a picture, so that its style stays within it. */
export function picture(svg, alt) {
  const image = h("img.drawing", { src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })), alt });
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  return image;
}

export function labelled(text, control, attributes = {}) {
  return h("label.field", attributes, h("span", {}, text), control);
}

export function select(options, value, onchange, attributes = {}) {
  const element = h("select", { onchange: onchange && (() => guarded(onchange)(element.value)), ...attributes },
    options.map((option) => h("option", { value: option.value }, option.text)));
  if (value !== undefined && options.some((option) => option.value === value)) element.value = value;
  return element;
}

/** Where a square is on a board: a1 is 0. */
export function squareName(square, width) {
  let file = square % width, name = "";
  do {
    name = String.fromCharCode(97 + (file % 26)) + name;
    file = Math.floor(file / 26) - 1;
  } while (file >= 0);
  return name + (Math.floor(square / width) + 1);
}

/** 1: the first player's piece, 2: the second's, 0: nobody's. */
export function ownerOf(cell) {
  const letter = /\p{L}/u.exec(cell)?.[0];
  if (!letter) return 0;
  return letter === letter.toUpperCase() && letter !== letter.toLowerCase() ? 1 : 2;
}
