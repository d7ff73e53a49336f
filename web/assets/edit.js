// Changing rules: errors are underlined while one types, and the piece under the cursor is shown.

import { announce, button, download, fill, h, labelled, picture, select } from "./dom.js";
import { get, post } from "./api.js";
import { miniature } from "./board.js";

const NEW = `game my-game
about Pawns race to the other side.
players white black

board
  pppp
  ....
  ....
  PPPP

zones
  far  rank 4

moves
  P  forward(empty) | forward-diagonal(enemy)

ending
  win when P on far
  win when the next player cannot move
`;

export async function show(place, [id]) {
  const { games } = await get("games");
  let text = NEW, sheet = false, name = "my-game";
  if (id) {
    const listed = games.find((game) => game.id === id);
    if (listed?.error || /^[0-9a-f]{20}$/.test(id)) {
      const response = await fetch(`/api/files/${encodeURIComponent(id)}`);
      if (!response.ok) throw new Error("there is no such game");
      text = await response.text();
      sheet = listed?.kind === "kif";
      name = listed?.name ?? name;
    } else {
      const game = await get(`games/${encodeURIComponent(id)}`);
      ({ text, name } = game);
      sheet = game.kind === "sheet";
    }
  }
  const view = new Editor(place, games, id, text, sheet, name);
  await view.check();
  return () => clearTimeout(view.timer);
}

class Editor {
  constructor(place, games, id, text, sheet, name) {
    Object.assign(this, { sheet, name, asked: 0 });
    this.area = h("textarea.code", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": sheet ? "The rule sheet" : "The rules", "aria-describedby": "editor-status", rows: 26 });
    this.area.value = text;
    this.under = h("div.underlay", { "aria-hidden": "true" });
    this.numbers = h("div.numbers", { "aria-hidden": "true" });
    this.status = h("p.note", { id: "editor-status", role: "status" });
    this.problems = h("ol.problem-list", { "aria-label": "What is wrong" });
    this.diagram = h("div.piece-diagram");
    this.play = button("Play this", () => this.keep("play"), { class: "primary" });
    this.readIt = button("Read this", () => this.keep("read"));
    this.learnIt = button("Watch and learn this", () => this.keep("learn"));
    this.link = button("Link to this text", () => this.keep("edit"));
    const options = [{ value: "", text: "new rules" }, ...games.map((game) => ({ value: game.id, text: game.name }))];
    fill(place,
      h("h1", {}, "Change the rules"),
      h("div.toolbar", {}, labelled("Begin with", select(options, id ?? "", (value) => { location.hash = value ? `#/edit/${encodeURIComponent(value)}` : "#/edit"; }))),
      h("div.edit", {},
        h("section", { "aria-label": "Editor" }, h("div.editor", {}, this.numbers, h("div.editor-text", {}, this.under, this.area)), this.status, this.problems,
          h("div.actions", {}, this.play, !sheet && this.readIt, this.learnIt, this.link, button("Download", () => download(`${this.name}.${sheet ? "kif" : "rules"}`, this.area.value)))),
        h("aside.card", { "aria-label": "The piece under the cursor" }, h("h2", {}, sheet ? "Rule sheet" : "The piece under the cursor"), this.diagram)));
    if (sheet) fill(this.diagram, h("p.note", {}, "A rule sheet is text in the Game Description Language. It can be played and, where its facts describe a board, watched and learnt."));
    this.area.addEventListener("input", () => this.soon());
    for (const event of ["click", "keyup", "select"]) this.area.addEventListener(event, () => this.moved());
    this.area.addEventListener("scroll", () => this.scroll());
    this.underline([]);
  }

  scroll() {
    this.under.scrollTop = this.numbers.scrollTop = this.area.scrollTop;
    this.under.scrollLeft = this.area.scrollLeft;
  }

  moved() {
    const line = this.area.value.slice(0, this.area.selectionStart).split("\n").length;
    if (line !== this.line) this.soon();
    this.line = line;
  }

  soon() {
    this.underline(this.shown ?? []);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check().catch((error) => (this.status.textContent = error.message)), 120);
  }

  async check() {
    const mine = ++this.asked;
    const text = this.area.value;
    const found = await post("check", { text, sheet: this.sheet, cursor: this.area.selectionStart });
    if (mine !== this.asked) return;
    this.shown = found.problems;
    this.underline(found.problems);
    const wrong = found.problems.filter((problem) => problem.severity === "error").length;
    const before = this.status.textContent;
    this.status.textContent = wrong ? `${wrong} ${wrong === 1 ? "problem" : "problems"}` : "These rules can be played.";
    if (before !== this.status.textContent) announce(this.status.textContent);
    for (const control of [this.play, this.readIt, this.learnIt, this.link]) control.disabled = wrong > 0;
    if (found.name) this.name = found.name;
    fill(this.problems, found.problems.map((problem) => h("li", { class: problem.severity },
      h("button.plain", { type: "button", onclick: () => this.go(problem) }, `${problem.line}:${problem.column}`), ` ${problem.message}`, problem.mend && h("span.note", {}, ` ${problem.mend}`))));
    if (this.sheet || wrong) return;
    fill(this.diagram, found.movement
      ? [h("h3", {}, found.movement.title), found.movement.sentences.map((sentence) => h("p", {}, sentence)),
         h("div.scenes", {}, found.movement.boards.map((scene) => h("figure", {}, picture(scene.svg, `${found.movement.title}. ${scene.caption}`), h("figcaption.note", {}, scene.caption))))]
      : [h("p.note", {}, "Put the cursor into a line under “moves” to see what that piece does."), found.board && miniature(found.board, "The board at the start")]);
  }

  go(problem) {
    this.area.focus();
    this.area.setSelectionRange(problem.from, Math.max(problem.to, problem.from));
  }

  /** The same text below the one that is typed, with what is wrong marked. */
  underline(problems) {
    const text = this.area.value;
    const parts = [];
    let at = 0;
    for (const problem of [...problems].sort((a, b) => a.from - b.from)) {
      const from = Math.min(Math.max(problem.from, at), text.length), to = Math.min(Math.max(problem.to, from + 1), text.length + 1);
      if (from < at) continue;
      parts.push(text.slice(at, from));
      const marked = text.slice(from, to);
      parts.push(h("mark", { class: problem.severity, title: problem.message }, marked === "" || marked === "\n" ? ` ${marked}` : marked));
      at = Math.max(at, Math.min(to, text.length));
    }
    fill(this.under, parts, text.slice(at), "\n");
    const count = text.split("\n").length;
    const bad = new Set(problems.map((problem) => problem.line));
    fill(this.numbers, Array.from({ length: count }, (_, line) => h("div", { class: bad.has(line + 1) ? "bad" : "" }, line + 1)));
    this.scroll();
  }

  async keep(where) {
    const kept = await post("texts", { name: this.name, text: this.area.value, sheet: this.sheet });
    if (where === "edit") {
      history.replaceState(null, "", `#/edit/${kept.id}`);
      this.status.textContent = `This text has the address ${location.href}`;
      return;
    }
    location.hash = `#/${where}/${kept.id}`;
  }
}
