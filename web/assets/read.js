// Reading rules: the explanation, and a board that answers.

import { announce, button, complain, fill, h, select, squareName } from "./dom.js";
import { get, post } from "./api.js";
import { Board } from "./board.js";

export async function show(place, [id], query) {
  const game = await get(`games/${encodeURIComponent(id)}`);
  const address = `/api/games/${encodeURIComponent(id)}`;
  const exports = game.kind === "rules"
    ? [["rules", "Rules"], ["kif", "Rule sheet (GDL)"], ["pddl", "PDDL"], ["dot", "Graphviz"], ["svg", "Automata as SVG"], ["html", "This page as HTML"]]
    : [["kif", "Rule sheet (GDL)"]];
  const head = h("div.intro", {},
    h("h1", {}, `${game.name.replaceAll("-", " ")}: the rules`),
    h("div.actions", {}, h("a.action.primary", { href: `#/play/${encodeURIComponent(id)}` }, "Play"), h("a.action", { href: `#/learn/${encodeURIComponent(id)}` }, "Watch and learn"),
      h("a.action", { href: `#/edit/${encodeURIComponent(id)}` }, "Change")),
    h("details.take-away", {}, h("summary", {}, "Take away"), h("div.actions", {},
      exports.map(([to, text]) => h("a.action", { href: `${address}/export/${to}?download=true` }, text)),
      game.board && h("a.action", { href: `${address}/board.svg?download=true` }, "Board as SVG"),
      game.kind === "rules" && h("a.action", { href: `${address}/log?games=20` }, "A log of 20 games"))));
  if (game.kind !== "rules") {
    fill(place, head, h("section.card", {}, h("h2", {}, "The rule sheet"), h("pre.sheet", { tabindex: 0 }, game.text)));
    return null;
  }
  const shadowHost = h("div.explanation");
  fill(place, head, new Diagram(game, query).element, shadowHost);
  const html = await (await fetch(`${address}/export/html`)).text();
  // Its style goes where it is wanted, and nowhere else.
  const styles = [];
  const plain = html.replace(/<style>([\s\S]*?)<\/style>/g, (_, style) => (styles.push(style), ""));
  const page = new DOMParser().parseFromString(plain, "text/html");
  const shadow = shadowHost.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  // The page's own style, without what it says about the whole window.
  sheet.replaceSync(`${styles.join("\n").replaceAll(":root", ":host")}\n:host { display: block; font: 17px/1.6 Georgia, serif; color: var(--text); background: none; } main { padding: 0 !important; max-width: none !important; } h1, .facts, .lead { display: none; }`);
  shadow.adoptedStyleSheets = [sheet];
  const main = document.importNode(page.querySelector("main"), true);
  const content = h("div.page-main", {}, [...main.childNodes]);
  for (const part of content.querySelectorAll(".scroll, pre")) part.tabIndex = 0;
  for (const part of content.querySelectorAll("article > header, article header")) {
    // A header of a piece is not a header of the page.
    const plain = h("div.piece-header", {}, [...part.childNodes]);
    part.replaceWith(plain);
  }
  content.querySelector("footer")?.remove();
  sheet.insertRule(".piece-header { display: flex; align-items: center; gap: 0.75rem; margin: 0 0 1rem; }", sheet.cssRules.length);
  shadow.append(content);
  return null;
}

/** A board on which pieces can be put, and which shows where they would go. */
class Diagram {
  constructor(game, query) {
    this.game = game;
    this.id = encodeURIComponent(game.id);
    const given = query.get("cells")?.split(" ");
    this.cells = given?.length === game.board.cells.length ? given : [...game.board.cells];
    this.turn = Number(query.get("turn") ?? 0);
    this.hand = null;
    this.board = new Board({ label: "A board to try things on", roles: game.roles, onsquare: (square) => this.square(square), oncancel: () => this.hold(null) });
    this.say = h("p.say", {}, "Click on a piece to see where it would go.");
    this.palette = h("div.palette", { role: "group", "aria-label": "Pieces to put on the board" });
    this.element = h("section.card.diagram", {},
      h("h2", {}, "Try it"),
      h("div.try", {}, h("div", {}, this.board.element, this.say),
        h("div", {}, h("p.note", {}, "Choose what to put on the board, then click on squares; or click on a piece to see its moves."), this.palette,
          h("div.actions", {},
            button("Empty board", () => this.set(this.game.board.cells.map((cell) => (cell === "#" ? "#" : ".")))),
            button("Start position", () => this.set([...this.game.board.cells])),
            game.roles.length > 1 && select(game.roles.map((role, at) => ({ value: String(at), text: `${role} to move` })), String(this.turn), (value) => { this.turn = Number(value); this.address(); }, { "aria-label": "Who is to move" }),
            button("Play from here", () => { location.hash = `#/play/${this.id}?turn=${this.turn}&cells=${encodeURIComponent(this.cells.join(" "))}`; }, { class: "primary" })))));
    this.hold(null);
    this.draw();
  }

  hold(piece) {
    this.hand = piece;
    const choice = (value, content, label) => h("button", { type: "button", class: "put", "aria-pressed": String(this.hand === value), "aria-label": label, onclick: () => this.hold(value) }, content);
    fill(this.palette, choice(null, "?", "Look at moves"),
      this.game.pieces.map((piece) => choice(piece, this.board.piece(piece, false), `Put ${piece}`)), choice(".", "×", "Take pieces away"));
  }

  set(cells) {
    this.cells = cells;
    this.moves = null;
    this.from = undefined;
    this.address();
    this.draw();
  }

  address() {
    const changed = this.turn !== 0 || this.cells.some((cell, at) => cell !== this.game.board.cells[at]);
    history.replaceState(null, "", `#/read/${this.id}${changed ? `?turn=${this.turn}&cells=${encodeURIComponent(this.cells.join(" "))}` : ""}`);
  }

  async square(square) {
    if (this.cells[square] === "#") return;
    if (this.hand !== null) {
      const cells = [...this.cells];
      cells[square] = this.hand;
      return this.set(cells);
    }
    try {
      this.from = square;
      this.moves = (await post(`games/${this.id}/reach`, { cells: this.cells, square })).moves;
    } catch (error) {
      this.moves = null;
      complain(error);
    }
    this.draw();
    const name = squareName(square, this.game.board.width);
    const ends = new Set((this.moves ?? []).map((move) => move.clicks.at(-1)));
    const piece = this.cells[square] === "." ? "a piece dropped" : this.cells[square];
    this.say.textContent = this.moves?.length
      ? `From ${name}, ${piece} has ${this.moves.length} ${this.moves.length === 1 ? "move" : "moves"}, to ${[...ends].slice(0, 24).map((end) => squareName(end, this.game.board.width)).join(", ")}${ends.size > 24 ? ", …" : ""}.`
      : `Nothing can be done from ${name}.`;
    announce(this.say.textContent);
  }

  draw() {
    const marks = new Map();
    if (this.from !== undefined && this.moves) {
      for (const move of this.moves) {
        for (const taken of move.taken.flat()) marks.set(taken, { ...marks.get(taken), taken: true, said: "captured on the way" });
        const middle = move.clicks.length > 2 ? move.clicks.slice(1, -1) : [];
        for (const square of middle) marks.set(square, { ...marks.get(square), target: true });
        const end = move.clicks.at(-1);
        marks.set(end, { ...marks.get(end), ...(move.captures ? { capture: true } : { target: true }) });
      }
      marks.set(this.from, { ...marks.get(this.from), selected: true });
    }
    this.board.show({ ...this.game.board, cells: this.cells }, marks);
  }
}
