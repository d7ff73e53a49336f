// Playing: at a table that has an address, against agents or another person at the same page.

import { announce, button, complain, fill, guarded, h, labelled, select, squareName } from "./dom.js";
import { get, post, status } from "./api.js";
import { Board } from "./board.js";
import { chooser } from "./drop.js";

/** `#/play/GAME` sets up a table and goes there; `?cells=…&turn=1` begins with a position. */
export async function open(place, [game], query) {
  const setup = { game, players: query.get("players")?.split(";") ?? [], seed: Number(query.get("seed") ?? Math.floor(Math.random() * 1e9)) };
  if (query.get("cells")) Object.assign(setup, { cells: query.get("cells").split(" "), turn: Number(query.get("turn") ?? 0) });
  const table = await post("tables", setup);
  const know = query.get("know") ? `?know=${query.get("know")}` : "";
  history.replaceState(null, "", `#/table/${table.id}${know}`);
  return show(place, [table.id], query);
}

/** `#/table/ID` is a game in progress, `#/table/ID/PLY` a position of it. */
export async function show(place, [id, ply], query) {
  const [{ agents }, table] = await Promise.all([status(), get(`tables/${id}${ply === undefined ? "" : `?ply=${Number(ply)}`}`)]);
  const { files } = await get(`games/${encodeURIComponent(table.game.id)}/knowledge`);
  const view = new Play(place, agents, files, query);
  view.begin(table);
  return () => view.leave();
}

/** Where arrow keys mean something else than steps through the game. */
const OWN_KEYS = "input, select, textarea, [contenteditable], [role=grid]";

class Play {
  constructor(place, agents, files, query) {
    this.agents = agents;
    // What was learnt about this game.
    this.knowledge = files;
    this.known = query?.get("know") ?? "";
    this.left = false;
    this.paused = false;
    /** Counts what is done to the game other than moving. */
    this.changes = 0;
    this.path = [];
    this.board = new Board({ onsquare: (square) => this.square(square), oncancel: () => this.cancel() });
    this.title = h("h1");
    this.about = h("p.note");
    this.say = h("p.say", { id: "say" });
    this.choices = h("div.choices", { role: "group", "aria-label": "Choose how the turn goes on" });
    this.moveList = h("ol.moves", { "aria-label": "Moves played", tabindex: 0 });
    this.legalList = h("div.legal");
    this.facts = h("div.facts");
    this.seats = h("div.seats");
    this.bar = h("div.bar", { role: "meter", "aria-label": "How the agent sees the position", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": 50, hidden: true }, h("div.bar-fill"));
    this.assessment = h("p.note.assessment");
    this.knowing = h("div.knowing");
    this.assess = h("input", { type: "checkbox", id: "assess", onchange: () => this.evaluate() });
    this.buttons = {
      undo: button("Undo", () => this.undo()),
      hint: button("Hint", () => this.hint()),
      resign: button("Resign", () => this.resign()),
      pause: button("Pause", () => this.pause()),
      stop: button("Move now", () => post(`tables/${this.id}/stop`), { class: "primary" }),
      flip: button("Turn the board", () => this.flip()),
      first: button("«", () => this.step(0), { "aria-label": "First position" }),
      back: button("‹", () => this.step(this.at() - 1), { "aria-label": "One move back" }),
      on: button("›", () => this.step(this.at() + 1), { "aria-label": "One move on" }),
      last: button("»", () => this.step(null), { "aria-label": "Last position" }),
      fork: button("Play on from here", () => this.fork(), { class: "primary" }),
      swap: button("", () => this.swap()),
    };
    const knowledge = [{ value: "", text: "nothing" }, ...this.knowledge.map((file) => ({ value: file.id, text: `${file.name} (${file.kind})` }))];
    this.downloads = h("div.actions");
    fill(place,
      h("div.play", {},
        h("section.table", { "aria-label": "Board" }, this.title, this.about,
          h("div.board-row-wrap", {}, this.bar, this.board.element),
          this.say, this.choices,
          h("div.actions", { role: "group", "aria-label": "Steps through the game" }, this.buttons.first, this.buttons.back, this.buttons.on, this.buttons.last, this.buttons.fork, this.buttons.swap),
          h("div.actions", { role: "group", "aria-label": "Your turn" }, this.buttons.undo, this.buttons.hint, this.buttons.resign, this.buttons.stop, this.buttons.pause, this.buttons.flip)),
        h("aside.side", { "aria-label": "Game" },
          h("section.card", {}, h("h2", {}, "Players"), this.seats),
          h("section.card", {}, h("h2", {}, "Moves"), this.moveList),
          this.legalSection = h("section.card", {}, h("h2", {}, "You can play"), this.legalList),
          this.factSection = h("section.card", {}, h("h2", {}, "What holds"), this.facts),
          h("section.card", {}, h("h2", {}, "How it is seen"),
            h("label.check", {}, this.assess, "Show how an agent sees the position"), this.assessment,
            knowledge.length > 1
              ? labelled("Show what was learnt", select(knowledge, this.known, (value) => { this.known = value; return this.know(); }))
              : h("p.note", {}, "Concepts and models of players are shown here once they are learnt: ", this.learnLink = h("a", {}, "learn to play"), "."),
            this.knowing),
          h("section.card", {}, h("h2", {}, "Keep it"),
            h("p.note", {}, "The address of this page is the address of this game."), this.downloads))));
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  leave() {
    this.left = true;
    removeEventListener("keydown", this.onkey);
  }

  /** Left and right step through the game, except where they do something else. */
  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !this.view || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest?.(OWN_KEYS)) return;
    event.preventDefault();
    guarded(() => this.step(this.at() + by))();
  }

  begin(table) {
    this.id = table.id;
    this.take(table);
    this.seat();
    this.proceed();
  }

  /** Shows what the server says about the table. */
  take(view) {
    if (this.left) return;
    const known = this.view;
    this.view = view;
    this.asked = null;
    this.path = [];
    this.hinted = null;
    this.title.textContent = view.game.name.replaceAll("-", " ");
    this.about.textContent = view.game.about;
    this.board.roles = view.game.roles;
    this.board.label = `Board of ${view.game.name}`;
    const isNow = view.ply === view.plies;
    if (known && view.plies > known.plies && isNow) announce(this.moveText(view.plies - 1));
    if (this.learnLink) this.learnLink.href = `#/know/${encodeURIComponent(view.game.id)}`;
    const address = isNow ? `#/table/${view.id}` : `#/table/${view.id}/${view.ply}`;
    // Whoever has just gone elsewhere is not called back.
    if (/^#\/(table|play)\//.test(location.hash)) history.replaceState(null, "", this.known ? `${address}?know=${this.known}` : address);
    const file = `/api/tables/${view.id}`, game = `/api/games/${encodeURIComponent(view.game.id)}`;
    fill(this.downloads,
      h("a.action", { href: `${file}/session`, download: `${view.game.name}.json` }, "Save the game"),
      view.game.kind === "rules" && view.plies > 0 && h("a.action", { href: `${file}/log` }, "Log"),
      view.pictured && h("a.action", { href: `${file}/board.svg?ply=${view.ply}&download=true` }, "Position as SVG"),
      h("a.action", { href: `${game}/export/${view.game.kind === "rules" ? "rules" : "kif"}?download=true` }, "Rules"),
      chooser("Load a game …"),
      button("New game", () => { location.hash = `#/play/${encodeURIComponent(view.game.id)}?players=${view.players.join(";")}`; }));
    this.draw();
    this.lists();
    this.evaluate();
    this.know();
  }

  moveText(at) {
    const joint = this.view.moves[at] ?? [];
    return joint.map((move) => `${this.view.game.roles[move.role]} plays ${move.name}`).join(", ");
  }

  status() {
    const { view } = this;
    if (view.beyond) return `The game cannot go on: ${view.beyond}`;
    if (view.over) return view.over.text;
    if (view.ply < view.plies) return `After ${view.ply} of ${view.plies} moves.`;
    if (view.thinks && this.isPaused()) return "Paused.";
    if (view.thinks) return `${view.to_move.map((role) => view.game.roles[role]).join(" and ")} thinks …`;
    const who = view.game.roles[view.waiting];
    if (this.path.length === 0) return `${who} to move.`;
    return `${who}: ${this.path.map((square) => squareName(square, view.board.width)).join(" – ")} …`;
  }

  /** The moves that begin with the squares that were clicked. */
  candidates(path = this.path) {
    return this.view.legal.filter((move) => path.every((square, at) => move.clicks[at] === square));
  }

  draw() {
    const { view } = this;
    this.say.textContent = this.status();
    const [isNow, people] = [view.ply === view.plies, this.people()];
    this.buttons.stop.hidden = !view.thinks || this.isPaused();
    this.buttons.pause.hidden = people > 0 || Boolean(view.over && isNow);
    this.buttons.pause.textContent = this.paused ? "Go on" : "Pause";
    this.buttons.resign.hidden = people === 0;
    this.buttons.resign.disabled = !isNow || Boolean(view.over) || (view.waiting === null && people !== 1);
    this.buttons.undo.disabled = view.plies === 0 && !view.over;
    this.buttons.fork.hidden = isNow;
    this.buttons.swap.hidden = view.other === null;
    this.buttons.swap.textContent = `To the other line (${view.other} ${view.other === 1 ? "move" : "moves"})`;
    this.buttons.hint.disabled = view.waiting === null;
    this.buttons.flip.hidden = !view.board;
    this.buttons.first.disabled = this.buttons.back.disabled = view.ply === 0;
    this.buttons.on.disabled = this.buttons.last.disabled = view.ply === view.plies;
    this.board.element.hidden = !view.board;
    if (!view.board) return fill(this.choices);
    const cells = [...view.board.cells], marks = new Map();
    const mark = (square, what) => marks.set(square, { ...marks.get(square), ...what });
    if (this.path.length === 0) for (const square of view.last) mark(square, { last: true });
    const found = this.candidates();
    if (this.path.length > 0) this.halfWay(cells, mark, found[0]);
    const at = this.path.length;
    const starts = at === 0;
    for (const move of found) {
      const next = move.clicks[at];
      if (next === undefined) continue;
      if (starts && move.clicks.length > 1) {
        mark(next, { movable: true });
        continue;
      }
      mark(next, view.board.cells[next] !== "." && !starts && next !== this.path[0] ? { capture: true } : { target: true });
    }
    for (const square of this.hinted ?? []) mark(square, { hint: true });
    for (const square of this.concept ?? []) mark(square, { concept: true, said: "part of a concept" });
    this.board.show({ ...view.board, cells }, marks);
    this.offer(found.filter((move) => move.clicks.length === at && at > 0), found.length);
  }

  /** What the board looks like while a turn is not finished. */
  halfWay(cells, mark, move) {
    let held = cells[this.path[0]], at = this.path[0];
    for (const [index, square] of this.path.entries()) {
      if (index > 0) {
        for (const taken of move.taken?.[index] ?? []) cells[taken] = ".";
        if (cells[at] === held && index > 0 && !move.puts?.[index - 1]) cells[at] = ".";
        cells[square] = held;
      }
      at = square;
      if (move.puts?.[index]) {
        if (index === 0 && cells[square] === ".") cells[square] = move.puts[index];
        held = move.puts[index];
      }
    }
    mark(at, { selected: true });
  }

  /** Lets one choose between turns that are entered with the same clicks, or end a turn that could go on. */
  offer(complete, all) {
    const differ = complete.length > 1;
    fill(this.choices, complete.map((move) => {
      const put = move.puts?.findLast((piece) => piece);
      const text = differ ? (put ? `Become ${put}` : move.name) : all > complete.length ? "End the turn here" : move.name;
      return button(differ && complete.filter((other) => other.puts?.findLast((piece) => piece) === put).length > 1 ? move.name : text, () => this.play(move), { class: "primary" });
    }), this.path.length > 0 && button("Cancel", () => this.cancel()));
    if (differ) this.choices.querySelector("button")?.focus();
  }

  square(square) {
    const { view } = this;
    if (view.waiting === null) return;
    const last = this.path.at(-1);
    const next = this.candidates([...this.path, square]);
    if (next.length > 0) {
      this.path.push(square);
      const at = this.path.length;
      const complete = next.filter((move) => move.clicks.length === at);
      if (complete.length === 1 && next.length === 1) return this.play(complete[0]);
      // Nothing is left to decide.
      if (complete.length === 0 && next.length === 1 && at > 1) return this.play(next[0]);
    } else if (this.path.length > 1 && square === last) {
      const complete = this.candidates().filter((move) => move.clicks.length === this.path.length);
      if (complete.length === 1) return this.play(complete[0]);
    } else {
      this.path = this.path.length > 0 && square === this.path[0] ? [] : this.candidates([square]).length > 0 ? [square] : [];
      const fresh = this.candidates();
      if (this.path.length === 1 && fresh.length === 1 && fresh[0].clicks.length === 1) return this.play(fresh[0]);
    }
    this.hinted = null;
    this.draw();
    this.list();
    if (this.path.length > 0) announce(`${this.status()} ${new Set(this.candidates().map((move) => move.clicks[this.path.length])).size} squares to go on`);
  }

  cancel() {
    this.path = [];
    this.draw();
    this.list();
  }

  async play(move) {
    this.path = [];
    try {
      this.take(await post(`tables/${this.id}/move`, { name: move.name }));
    } catch (error) {
      complain(error);
      this.take(await get(`tables/${this.id}`));
    }
    this.proceed();
  }

  /** Lets the agents move as long as it is their turn. */
  async proceed() {
    if (this.proceeding) return;
    this.proceeding = true;
    let again = false;
    try {
      while (!this.left && !this.isPaused() && (this.view.thinks || this.isForced()) && !this.view.beyond && this.view.ply === this.view.plies) {
        const [before, changes] = [this.view.plies, this.changes];
        const view = this.isForced() ? await post(`tables/${this.id}/move`, { name: this.view.legal[0].name }) : await post(`tables/${this.id}/advance`);
        if (this.left) return;
        // Whoever looks at an earlier position, or has gone on in another way, is not interrupted.
        if (this.changes !== changes) {
          again = true;
          break;
        }
        if (this.at() === this.view.plies) this.take(view);
        if (view.plies === before && view.thinks) break;
        if (view.thinks || this.isForced()) await new Promise((done) => setTimeout(done, 200));
      }
    } catch (error) {
      complain(error);
    } finally {
      this.proceeding = false;
    }
    // What was changed meanwhile is gone on with.
    if (again) return this.proceed();
  }

  /** Rule sheets ask everybody all the time: who has only one move, while others choose, need not be asked. */
  isForced() {
    const { view } = this;
    return view.game.kind === "sheet" && view.game.roles.length > 1 && view.waiting !== null && view.legal_count === 1;
  }

  lists() {
    const { view } = this;
    const rows = view.moves.map((joint, at) =>
      h("li", {}, h("button.plain", { type: "button", "aria-current": view.ply === at + 1 ? "step" : null, onclick: () => this.step(at + 1).catch(complain) },
        joint.map((move) => view.game.roles.length > 1 && joint.length > 1 ? `${view.game.roles[move.role]}: ${move.name}` : move.name).join(" "))));
    fill(this.moveList, rows.length ? rows : h("li.none", {}, "None yet"));
    const now = this.moveList.querySelector("[aria-current]");
    if (now) this.moveList.scrollTop = now.offsetTop - this.moveList.clientHeight / 2;
    this.list();
    const plain = !view.board;
    this.factSection.hidden = view.facts.length === 0;
    if (view.facts.length > 0) {
      // Without a board, what holds stands in its place, and what can be played below.
      if (plain) this.board.element.parentElement.after(this.factSection, this.legalSection);
      const groups = Map.groupBy ? Map.groupBy(view.facts, (fact) => fact.split(" ")[0]) : new Map([["", view.facts]]);
      fill(this.facts, [...groups.values()].map((facts) => h("p.fact-group", {}, facts.map((fact) => h("code", {}, fact)))));
    }
  }

  /** The legal moves as a list, for games without a board, for few moves, and for those who rather read. */
  list() {
    const { view } = this;
    const found = view.waiting === null ? [] : this.candidates();
    const shown = found.slice(0, 60);
    const plain = !view.board || view.game.kind === "sheet";
    this.legalSection.hidden = view.waiting === null;
    const buttons = shown.map((move) => button(move.name, () => this.play(move), { class: "move" }));
    const more = found.length - shown.length;
    const rest = more > 0 && h("p.note", {}, `and ${more} more: click on a square to see fewer.`);
    if (plain) return fill(this.legalList, h("div.legal-moves", {}, buttons), rest);
    const opened = this.legalList.querySelector("details")?.open ?? false;
    fill(this.legalList, h("details", { open: opened }, h("summary", {}, `${found.length} ${found.length === 1 ? "move" : "moves"}`), h("div.legal-moves", {}, buttons), rest));
  }

  seat() {
    const { view } = this;
    const stored = this.knowledge.flatMap((file) => file.kind === "concepts"
      ? [{ value: `heuristic:${file.id}`, text: `Plays by ${file.name}` }, { value: `alphabeta:2,eval=${file.id}`, text: `Alpha-beta, 2 moves ahead, with ${file.name}` }, { value: `mcts:1000,eval=${file.id}`, text: `Playouts: 1000, with ${file.name}` }]
      : file.kind === "opponent" ? [{ value: `opponent:${file.id}`, text: `Expects the player of ${file.name}` }] : [{ value: `tactics:${file.id}`, text: `Plays by ${file.name}` }]);
    const options = [{ value: "person", text: "A person" }, ...this.agents.map((agent) => ({ value: agent.name, text: agent.title })), ...stored];
    fill(this.seats, view.players.map((player, at) => {
      const all = options.some((option) => option.value === player) ? options : [...options, { value: player, text: player }];
      const role = view.game.roles[view.played[at]];
      const seat = async (value) => {
        const players = [...this.view.players];
        players[at] = value;
        this.take(await post(`tables/${this.id}/players`, { players }));
        this.seat();
        this.proceed();
      };
      // Any agent has a name, as on the command line.
      const named = h("input", { type: "text", value: player === "person" ? "" : player, placeholder: "alphabeta:5,eval=material", "aria-label": `The name of the agent for ${role}` });
      const form = h("form.other", { hidden: true, onsubmit: (event) => { event.preventDefault(); seat(named.value.trim()).catch(complain); } }, named, h("button", { type: "submit" }, "Take it"));
      return h("div", {}, labelled(role, select([...all, { value: "", text: "Another agent …" }], player, (value) => {
        form.hidden = value !== "";
        if (value === "") return named.focus();
        return seat(value);
      })), form);
    }));
  }

  /** The position that is shown, or that was asked for and is on its way. */
  at() {
    return this.asked?.ply ?? this.view.ply;
  }

  /** Shows the position after so many moves, or the last one. Steps may come faster than answers: the last one counts. */
  async step(ply) {
    const to = Math.max(0, Math.min(ply ?? this.view.plies, this.view.plies));
    if (ply !== null && to === this.at()) return;
    const asked = (this.asked = { ply: to });
    try {
      const view = await get(ply === null ? `tables/${this.id}` : `tables/${this.id}?ply=${to}`);
      if (this.asked === asked) this.take(view);
    } finally {
      if (this.asked === asked) this.asked = null;
    }
    this.proceed();
  }

  /** What was done to the game other than moving. */
  changed(view, said) {
    this.changes += 1;
    this.take(view);
    announce(`${said} ${this.status()}`);
    this.proceed();
  }

  async fork() {
    this.changed(await post(`tables/${this.id}/rewind`, { ply: this.view.ply }), "You play on from here; the later moves are kept as the other line.");
  }

  async swap() {
    this.changed(await post(`tables/${this.id}/swap`), "This is the other line.");
  }

  async resign() {
    this.changed(await post(`tables/${this.id}/resign`), "");
  }

  /** How many roles persons play. */
  people() {
    return this.view.players.filter((player) => player === "person").length;
  }

  /** Only agents among themselves can be held up: whoever waits for an answer wants it. */
  isPaused() {
    return this.paused && this.people() === 0;
  }

  pause() {
    this.paused = !this.paused;
    this.draw();
    announce(this.paused ? "Paused" : "The game goes on");
    return this.proceed();
  }

  async undo() {
    let view = await post(`tables/${this.id}/undo`);
    // What was played without being asked for is not what is meant.
    for (let plies = view.plies; view.game.kind === "sheet" && view.legal_count === 1 && plies > 0; plies = view.plies) {
      view = await post(`tables/${this.id}/undo`);
      if (view.plies === plies) break;
    }
    this.changed(view, "Taken back.");
  }

  async hint() {
    const plies = this.view.plies;
    const found = await post(`tables/${this.id}/think`, { playouts: 2000 });
    if (this.view.plies !== plies || !found?.best) return;
    const move = this.view.legal.find((move) => move.name === found.best);
    this.path = [];
    this.hinted = move?.clicks ?? [];
    this.draw();
    this.say.textContent = `${found.by} would play ${found.best}.`;
    announce(this.say.textContent);
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    this.draw();
  }

  async evaluate() {
    this.bar.hidden = !this.assess.checked;
    if (!this.assess.checked) {
      this.assessment.textContent = "";
      return;
    }
    const { plies, ply } = this.view;
    const found = await post(`tables/${this.id}/think`, { ply, playouts: 1500 }).catch(() => null);
    if (this.left || this.view.plies !== plies || this.view.ply !== ply || found?.value == null) return;
    const first = found.role === 0 || this.view.game.roles.length === 1 ? found.value : 100 - found.value;
    this.bar.firstChild.style.setProperty("--share", `${first}%`);
    this.bar.setAttribute("aria-valuenow", Math.round(first));
    this.bar.setAttribute("aria-valuetext", `${Math.round(first)} of 100 for ${this.view.game.roles[0]}`);
    const line = found.line.length ? ` Best line: ${found.line.join(", ")}.` : "";
    this.assessment.textContent = `${found.by} expects ${Math.round(first)} of 100 for ${this.view.game.roles[0]}${found.proved ? ", which is certain" : ""}.${line}`;
  }

  /** What was learnt by others, on this board. */
  async know() {
    this.concept = null;
    if (!this.known) return fill(this.knowing);
    const { plies, ply } = this.view;
    let found;
    try {
      found = await post(`tables/${this.id}/know`, { document: this.known, ply });
    } catch (error) {
      return fill(this.knowing, h("p.note", {}, error.message));
    }
    if (this.left || this.view.plies !== plies || this.view.ply !== ply) return;
    this.knowing.dataset.ply = ply;
    if (found.kind === "opponent") {
      const expected = found.expected;
      return fill(this.knowing, expected
        ? [h("p", {}, `Expected of ${expected.role}, after ${expected.turns} turns that were seen:`), h("ol.expected", {}, expected.moves.map((move) =>
            h("li", {}, h("span", {}, move.name), h("meter", { min: 0, max: 1, value: move.share, "aria-label": `${move.name}: ${Math.round(move.share * 100)} per cent` }), h("span.share", {}, `${Math.round(move.share * 100)} %`))))]
        : h("p.note", {}, "It is not that player's turn."));
    }
    if (found.kind === "tactics") {
      const told = found.combination;
      this.concept = told?.moves.length ? this.view.legal.filter((move) => told.moves.includes(move.name)).flatMap((move) => move.clicks) : null;
      this.draw();
      return fill(this.knowing, told
        ? [h("p", { class: told.kind === "wins" ? "good" : "" }, `${told.words}${told.moves.length ? `: ${told.moves.slice(0, 8).join(", ")}` : ""}.`), told.rule && h("pre.sheet", { tabindex: 0 }, told.rule)]
        : h("p.note", {}, "Nobody is to move."));
    }
    fill(this.knowing, found.roles.map((role) => h("div", {}, h("h3", {}, role.role),
      role.rules.length ? h("ul.concepts", {}, role.rules.map((rule) => h("li", {},
        h("button.plain", { type: "button", onclick: () => { this.concept = rule.places.flat(); this.draw(); } }, rule.words),
        h("span", { class: rule.value > 0 ? "good" : "bad" }, ` ${rule.value > 0 ? "+" : "−"}${Math.abs(rule.value).toFixed(2)}`)))) : h("p.note", {}, "Nothing it knows holds here."))));
  }
}
