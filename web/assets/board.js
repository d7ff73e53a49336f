// A board: squares that can be clicked, dragged between, and walked over with the arrow keys.

import { h, s, squareName, ownerOf } from "./dom.js";

/** What is said of a square to those who do not see it. */
function spoken(cell, name, roles) {
  if (cell === ".") return `${name}, empty`;
  if (cell === "*") return `${name}, wall`;
  const owner = ownerOf(cell);
  return `${name}, ${owner && roles?.[owner - 1] ? `${roles[owner - 1]} ` : ""}${cell}`;
}

export class Board {
  /** `onsquare(square)` is called for clicks, for Enter, and twice for a drag. */
  constructor({ label = "Board", onsquare = null, roles = null, oncancel = null } = {}) {
    this.label = label;
    this.onsquare = onsquare;
    this.oncancel = oncancel;
    this.roles = roles;
    this.flipped = false;
    this.marks = new Map();
    this.focusSquare = 0;
    this.squares = [];
    this.element = h("div.board-frame");
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("click", (event) => {
      const square = this.squareAt(event.target);
      // A drag has already done what it does.
      if (square === null || this.dragged) return;
      this.focusSquare = square;
      this.onsquare?.(square);
    });
  }

  squareAt(target) {
    const cell = target?.closest?.("[data-square]");
    return cell && this.element.contains(cell) ? Number(cell.dataset.square) : null;
  }

  show(board, marks = new Map()) {
    this.marks = marks;
    const same = this.board && this.board.width === board.width && this.board.height === board.height && this.shownFlipped === this.flipped;
    this.board = board;
    if (!same) this.build();
    this.paint();
  }

  build() {
    const { width, height } = this.board;
    this.shownFlipped = this.flipped;
    this.squares = [];
    this.focusSquare = Math.min(this.focusSquare, width * height - 1);
    const ranks = [...Array(height).keys()];
    if (!this.flipped) ranks.reverse();
    const files = [...Array(width).keys()];
    if (this.flipped) files.reverse();
    const grid = h("div.board", { role: "grid", "aria-label": this.label, "aria-rowcount": height, "aria-colcount": width });
    grid.style.setProperty("--columns", width);
    grid.style.setProperty("--rows", height);
    for (const [row, rank] of ranks.entries()) {
      const line = h("div.board-row", { role: "row" });
      for (const [column, file] of files.entries()) {
        const square = rank * width + file;
        const shade = (rank + file) % 2 === 0 ? "dark" : "light";
        const cell = h(`div.square.${shade}`, { role: "gridcell", "data-square": square, tabindex: -1 });
        cell.append(h("span.content", {
          "aria-hidden": "true", "data-rank": column === 0 && String(rank + 1), "data-file": row === height - 1 && squareName(file, width).replace(/\d+$/, ""),
        }));
        this.squares[square] = cell;
        line.append(cell);
      }
      grid.append(line);
    }
    this.grid = grid;
    this.element.replaceChildren(grid);
  }

  paint() {
    const { width, cells } = this.board;
    for (const [square, element] of this.squares.entries()) {
      const cell = cells[square], mark = this.marks.get(square) ?? {};
      const name = squareName(square, width);
      const parts = [mark.selected && "selected", mark.movable && "can move", mark.target && "can be played", mark.capture && "can be captured", mark.last && "last move", mark.hint && "hint", mark.said].filter(Boolean);
      element.setAttribute("aria-label", [spoken(cell, name, this.roles), ...parts].join(", "));
      element.toggleAttribute("data-hole", cell === "#");
      if (cell === "#") element.setAttribute("aria-disabled", "true"); else element.removeAttribute("aria-disabled");
      for (const kind of ["selected", "movable", "target", "capture", "last", "hint", "concept", "taken"]) element.classList.toggle(kind, Boolean(mark[kind]));
      if (mark.selected) element.setAttribute("aria-selected", "true"); else element.removeAttribute("aria-selected");
      const content = element.querySelector(".content");
      const sign = mark.ghost ?? cell;
      if (content.dataset.sign !== `${sign}${mark.ghost ? "?" : ""}`) {
        content.dataset.sign = `${sign}${mark.ghost ? "?" : ""}`;
        content.replaceChildren(...this.piece(sign, Boolean(mark.ghost)));
      }
      element.tabIndex = square === this.focusSquare ? 0 : -1;
    }
  }

  piece(cell, ghost) {
    if (cell === "." || cell === "#") return [];
    if (cell === "*") return [h("span.wall")];
    const owner = ownerOf(cell);
    const size = cell.length > 2 ? "long" : cell.length > 1 ? "pair" : "single";
    return [h(`span.piece.${owner === 2 ? "two" : "one"}.${size}`, { class: ghost ? "ghost" : "" }, cell)];
  }

  key(event) {
    const square = this.squareAt(event.target);
    if (square === null) return;
    const { width, height } = this.board;
    const sign = this.flipped ? -1 : 1;
    const steps = { ArrowLeft: [-sign, 0], ArrowRight: [sign, 0], ArrowUp: [0, sign], ArrowDown: [0, -sign] };
    if (event.key in steps) {
      const [dx, dy] = steps[event.key];
      const x = (square % width) + dx, y = Math.floor(square / width) + dy;
      event.preventDefault();
      if (x >= 0 && x < width && y >= 0 && y < height) this.focus(y * width + x);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      const first = (event.key === "Home") !== this.flipped;
      this.focus(Math.floor(square / width) * width + (first ? 0 : width - 1));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onsquare?.(square);
    } else if (event.key === "Escape") {
      this.oncancel?.();
    }
  }

  focus(square) {
    this.squares[this.focusSquare]?.setAttribute("tabindex", "-1");
    this.focusSquare = square;
    this.squares[square].setAttribute("tabindex", "0");
    this.squares[square].focus();
  }

  press(event) {
    this.dragged = false;
    const from = this.squareAt(event.target);
    if (from === null || event.button !== 0 || !this.onsquare || this.board.cells[from] === ".") return;
    const begin = { x: event.clientX, y: event.clientY };
    let ghost = null;
    const move = (event) => {
      if (!ghost && Math.hypot(event.clientX - begin.x, event.clientY - begin.y) > 8) {
        this.dragged = true;
        if (!this.marks.get(from)?.selected) this.onsquare(from);
        ghost = this.squares[from].querySelector(".content").cloneNode(true);
        ghost.classList.add("dragging");
        const box = this.squares[from].getBoundingClientRect();
        ghost.style.width = `${box.width}px`;
        ghost.style.height = `${box.height}px`;
        document.body.append(ghost);
      }
      if (ghost) ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    };
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const to = event.type === "pointerup" ? this.squareAt(document.elementFromPoint(event.clientX, event.clientY)) : null;
      if (to !== null && to !== from) this.onsquare(to);
      setTimeout(() => (this.dragged = false), 0);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}

/** A small picture of a board. */
export function miniature(board, label) {
  const { width, height, cells } = board;
  const size = 10;
  const parts = [];
  for (const [square, cell] of cells.entries()) {
    if (cell === "#") continue;
    const x = (square % width) * size, y = (height - 1 - Math.floor(square / width)) * size;
    parts.push(s("rect", { x, y, width: size, height: size, class: ((square % width) + Math.floor(square / width)) % 2 ? "mini-light" : "mini-dark" }));
    if (cell === "*") parts.push(s("rect", { x: x + 2, y: y + 2, width: 6, height: 6, class: "mini-wall" }));
    else if (cell !== ".") parts.push(s("circle", { cx: x + 5, cy: y + 5, r: 3.6, class: ownerOf(cell) === 2 ? "mini-two" : "mini-one" }));
  }
  return s("svg", { viewBox: `0 0 ${width * size} ${height * size}`, class: "miniature", role: "img", "aria-label": label }, parts);
}
