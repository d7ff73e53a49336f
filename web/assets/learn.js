// Watching games, and how their rules are learnt meanwhile.

import { announce, button, complain, fill, h, labelled, s, select } from "./dom.js";
import { get, listen, post } from "./api.js";
import { Board, miniature } from "./board.js";

const LEVELS = { firm: "well supported", thin: "few examples", open: "not all of it was tested", guess: "a guess" };
const SPEEDS = [2000, 1000, 500, 200, 60, 0];

export async function show(place, [source, jobId], query) {
  const [{ games }, { files }] = await Promise.all([get("games"), get("files")]);
  const logs = files.filter((file) => file.kind === "log" || file.kind === "evidence");
  const options = [...logs.map((file) => ({ value: file.id, text: `${file.name} (${file.kind})` })), ...games.filter((game) => !game.error).map((game) => ({ value: game.id, text: game.name }))];
  const view = new Learn(place, options, games, logs, source, query);
  const known = jobId && (await get("jobs")).jobs.some((job) => job.id === jobId);
  if (known) view.follow(jobId);
  else if (source && logs.some((file) => file.id === source)) await view.begin();
  return () => view.leave();
}

/** The rows of the board in a text of rules; their lines are marked. */
function boardRows(lines) {
  const begin = lines.findIndex((line) => line.text === "board");
  const rows = [];
  for (let at = begin + 1; begin >= 0 && lines[at]?.text.startsWith("  "); at += 1) {
    const row = lines[at].text.trim();
    rows.push(row.includes(" ") ? row.split(/ +/) : [...row]);
    lines[at].row = true;
  }
  return rows;
}

class Learn {
  constructor(place, options, games, logs, source, query) {
    this.logs = logs;
    this.speed = 2;
    this.points = [];
    this.source = select(options, source ?? query.get("source") ?? "breakthrough", () => this.sourceChanged());
    this.some = h("input", { type: "checkbox", id: "some", checked: query.get("some") === "true" });
    this.count = h("input", { type: "number", min: 1, max: 100000, value: query.get("games") ?? 40, id: "count" });
    this.truth = select([{ value: "", text: "nobody knows" }, ...games.filter((game) => game.kind === "rules" && !game.error).map((game) => ({ value: game.id, text: game.name }))], "");
    this.startButton = button("Watch and learn", () => this.begin(), { class: "primary" });
    this.pauseButton = button("Pause", () => this.pause());
    this.stepButton = button("One game", () => this.step());
    this.slower = button("Slower", () => this.pace(-1));
    this.faster = button("Faster", () => this.pace(1));
    this.stopButton = button("Stop", () => this.control("stop"));
    this.transport = h("div.actions", { role: "group", "aria-label": "Pace", hidden: true }, this.pauseButton, this.stepButton, this.slower, this.faster, this.stopButton);
    this.board = new Board({ label: "The game being watched" });
    this.caption = h("p.say", { "aria-live": "off" }, "Choose a game, or drop a log on the page.");
    this.progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "How much of the log is read" });
    this.problems = h("div.problems");
    this.rules = h("div.rules-text", { tabindex: 0, role: "region", "aria-label": "The rules as they are believed now" });
    this.changes = h("div.changes");
    this.open = h("div.open-questions");
    this.plot = h("div.plot");
    this.result = h("div.result");
    this.summary = h("p.note");
    fill(place,
      h("h1", {}, "Watch and learn"),
      h("p.lead", {}, "Games come in one after another. Beside them stand the rules as they are believed after what was seen so far."),
      h("div.toolbar", {}, labelled("Learn from", this.source), this.countField = labelled("Games", this.count),
        this.someField = h("label.check", {}, this.some, "Only the moves played are seen"),
        this.truthField = labelled("The game is really", this.truth), this.startButton),
      this.transport, this.problems,
      h("div.learn", {},
        h("section", { "aria-label": "The game" }, this.board.element, this.caption, this.progress,
          h("section.card", {}, h("h2", {}, "Exactness against games"), this.plot)),
        h("section", { "aria-label": "What is believed" },
          this.result,
          h("section.card", {}, h("h2", {}, "The rules as they are believed now"), this.summary, this.rules),
          h("section.card", {}, h("h2", {}, "What has just changed, and why"), this.changes),
          h("section.card", {}, h("h2", {}, "Never seen yet"), this.open))));
    fill(this.changes, h("p.note", {}, "Nothing yet."));
    fill(this.open, h("p.note", {}, "Nothing yet."));
    this.sourceChanged();
    this.drawPlot();
  }

  sourceChanged() {
    const log = this.logs.some((file) => file.id === this.source.value);
    this.countField.hidden = this.someField.hidden = log;
    this.truthField.hidden = !log;
  }

  leave() {
    this.unlisten?.();
    clearInterval(this.animation);
    if (this.job && !this.ended) this.control("stop").catch(() => {});
  }

  async begin() {
    if (this.job && !this.ended) await this.control("stop").catch(() => {});
    this.unlisten?.();
    fill(this.problems);
    fill(this.result);
    fill(this.rules);
    this.points = [];
    this.ended = false;
    this.gotRules = false;
    const { id } = await post("jobs/learn", {
      source: this.source.value, some: this.some.checked, games: Number(this.count.value) || 40, delay: this.delay(), truth: this.truth.value || null,
    });
    if (location.hash.startsWith("#/learn")) history.replaceState(null, "", `#/learn/${encodeURIComponent(this.source.value)}/${id}`);
    this.follow(id);
  }

  follow(id) {
    this.job = id;
    this.transport.hidden = false;
    this.paused = false;
    this.pauseButton.textContent = "Pause";
    for (const control of this.transport.children) control.disabled = false;
    this.unlisten = listen(id, (event) => this.event(event), () => this.end());
  }

  end() {
    this.ended = true;
    for (const control of this.transport.children) control.disabled = true;
    this.progress.hidden = true;
  }

  delay() {
    return this.logs.some((file) => file.id === this.source.value) && !this.paced ? 0 : SPEEDS[this.speed];
  }

  control(what, value = null) {
    return post(`jobs/${this.job}/control`, { what, value });
  }

  async pause() {
    this.paused = !this.paused;
    this.pauseButton.textContent = this.paused ? "Go on" : "Pause";
    await this.control(this.paused ? "pause" : "resume");
  }

  async step() {
    this.paused = true;
    this.pauseButton.textContent = "Go on";
    await this.control("step");
  }

  async pace(by) {
    this.paced = true;
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    this.slower.disabled = this.speed === 0;
    this.faster.disabled = this.speed === SPEEDS.length - 1;
    await this.control("delay", SPEEDS[this.speed]);
  }

  event(event) {
    switch (event.type) {
      case "game": return this.game(event);
      case "rules": return this.believe(event);
      case "damaged": return this.damaged(event);
      case "nothing": return fill(this.rules, h("p.note", {}, event.why));
      case "done": return this.done(event);
      case "stopped": return complain(new Error(`The job was stopped: ${event.why}.`));
      case "error":
        announce(event.error);
        return fill(this.result, h("section.card.bad-news", {}, h("h2", {}, "Nothing was learnt"), h("p", {}, event.error)));
    }
  }

  game(event) {
    clearInterval(this.animation);
    const frames = event.boards.map((board) => ({ width: event.width, height: event.height, cells: board.split(" ") }));
    this.caption.textContent = `Game ${event.number}, ${event.plies} moves${event.outcome ? `, ${event.outcome}` : ""}. ${event.games} games and ${event.positions} positions so far${event.damaged ? `, ${event.damaged} damaged games skipped` : ""}.`;
    if (event.total) {
      this.progress.hidden = false;
      this.progress.value = Math.min(1, event.read / event.total);
    }
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let at = calm ? frames.length - 1 : 0;
    const tick = () => {
      const marks = new Map();
      if (at > 0) frames[at].cells.forEach((cell, square) => cell !== frames[at - 1].cells[square] && marks.set(square, { last: true }));
      this.board.show(frames[at], marks);
      at += 1;
      if (at >= frames.length) clearInterval(this.animation);
    };
    tick();
    if (at < frames.length) this.animation = setInterval(tick, Math.max(30, Math.min(300, (SPEEDS[this.speed] || 400) / frames.length)));
  }

  believe(event) {
    this.gotRules = true;
    this.summary.textContent = `After ${event.games} games, ${event.positions} positions and ${event.moves} listed moves${event.unexplained.length ? "" : "; they account for all of it"}.`;
    const rows = boardRows(event.lines);
    const width = Math.max(0, ...rows.map((row) => row.length));
    const cells = [...rows].reverse().flatMap((row) => row);
    fill(this.rules, event.lines.filter((line) => !line.row).map((line) => line.text === "board" && width > 0 && cells.length === width * rows.length
      ? h("div.rule-board", {}, h("code", {}, "board"), miniature({ width, height: rows.length, cells }, "The board at the start"))
      : line.text === "" ? h("div.rule-gap") : h("div.rule-line", { class: `${line.level ?? "plain"}${line.new ? " new" : ""}` },
      h("code", {}, line.text),
      line.level && h("span.level", {}, LEVELS[line.level]),
      line.new && h("span.level.fresh", {}, "new"),
      line.note && h("span.why", {}, line.note))));
    if (event.changed) {
      const surprise = event.surprise;
      const added = event.lines.filter((line) => line.new).map((line) => line.text.trim());
      const first = added.length === 0 && event.gone.length === 0;
      const pictured = surprise && new Board({ label: "The position that changed it" });
      pictured?.show(surprise.board);
      // The newest on top, and a few of those before it.
      if (first) fill(this.changes);
      this.changes.prepend(h("div.change", {},
        first ? h("p", {}, `First rules, after ${event.games === 1 ? "one game" : `${event.games} games`}.`) : h("p", {}, `After game ${event.games}:`),
        h("ul.diff", {}, event.gone.map((line) => h("li.gone", {}, h("del", {}, line.trim()))), added.map((line) => h("li.added", {}, h("ins", {}, line)))),
        surprise ? h("figure.surprise", {}, pictured.element, h("figcaption", {}, `This position changed it: ${surprise.why}. ${surprise.turn === "w" ? "The first player" : "The second player"} is to move.`))
          : !first && h("p.note", {}, "No single position contradicted the rules before: there is now more to tell apart what is a rule from what was chance.")));
      while (this.changes.children.length > 6) this.changes.lastChild.remove();
      announce(first ? "First rules" : `The rules changed after game ${event.games}`);
    }
    fill(this.open,
      event.open.length ? h("ul", {}, event.open.map((text) => h("li", {}, text))) : h("p.note", {}, "Everything that the rules say was put to the test."),
      event.unexplained.length > 0 && [h("h3", {}, "Not accounted for"), h("ul", {}, event.unexplained.map((text) => h("li", {}, text)))]);
    if (event.exact) {
      this.points.push({ games: event.games, moves: event.exact.exact / event.exact.positions, outcomes: event.exact.outcomes / event.exact.positions });
      this.drawPlot();
    }
  }

  drawPlot() {
    const { points } = this;
    if (points.length === 0) return fill(this.plot, h("p.note", {}, "Where the true rules are known, every version is checked on fresh games, and the share of positions that it gets right is drawn here."));
    const [width, height, left, bottom] = [320, 150, 34, 22];
    const most = Math.max(2, points.at(-1).games);
    const x = (games) => left + ((width - left - 8) * (games - 1)) / (most - 1);
    const y = (share) => 8 + (height - bottom - 8) * (1 - share);
    const path = (of) => points.map((point, at) => `${at ? "L" : "M"}${x(point.games).toFixed(1)} ${y(point[of]).toFixed(1)}`).join("");
    const label = (text, px, py, anchor) => { const t = s("text", { x: px, y: py, "text-anchor": anchor, class: "plot-text" }); t.textContent = text; return t; };
    const last = points.at(-1);
    fill(this.plot,
      s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `After ${last.games} games, moves are exact in ${Math.round(last.moves * 100)} per cent of fresh positions and outcomes in ${Math.round(last.outcomes * 100)} per cent` },
        [0, 0.5, 1].map((share) => [s("path", { d: `M${left} ${y(share)}H${width - 8}`, class: "plot-grid" }), label(`${share * 100} %`, left - 4, y(share) + 3, "end")]),
        s("path", { d: path("outcomes"), class: "plot-outcomes" }), s("path", { d: path("moves"), class: "plot-moves" }),
        points.length === 1 ? s("circle", { cx: x(last.games), cy: y(last.moves), r: 3, class: "plot-dot" }) : null,
        label("1", left, height - 6, "middle"), label(`${most} games`, width - 8, height - 6, "end")),
      h("p.note.legend", {}, h("span.key.moves"), " moves exact ", h("span.key.outcomes"), " outcomes exact"));
  }

  damaged(event) {
    if (this.problems.children.length >= 5) return;
    this.problems.append(h("div.problem", { role: "note" }, h("p", {}, h("strong", {}, "A damaged game was skipped: "), event.text), event.excerpt && h("pre", { tabindex: 0 }, event.excerpt)));
    announce(`A damaged game was skipped: ${event.text}`);
  }

  done(event) {
    const id = encodeURIComponent(event.rules);
    const check = event.check;
    const exact = event.consistent && (!check || check.holds);
    fill(this.result, h(exact ? "section.card.good-news" : "section.card.half-news", {},
      h("h2", {}, event.stopped ? "Stopped" : exact ? "Learnt" : "Learnt, but not all of it"),
      h("p", {}, `From ${event.games} games. ${event.consistent ? "The rules account for everything that was seen." : "The rules do not account for everything that was seen."}`),
      check && h("p", {}, check.holds
        ? `Checked on ${check.games} fresh games: all ${check.positions} positions agree with the true rules, moves and outcomes.`
        : `Checked on ${check.games} fresh games: of ${check.positions} positions, moves are exact in ${check.exact} and outcomes in ${check.outcomes}.`),
      check && !check.holds && h("ul", {}, check.mismatches.map((text) => h("li", {}, text))),
      h("div.actions", {},
        h("a.action.primary", { href: `#/play/${id}` }, "Play it"), h("a.action", { href: `#/read/${id}` }, "Read it"), h("a.action", { href: `#/edit/${id}` }, "Change it"),
        h("a.action", { href: `/api/files/${event.rules}` }, "Rules"), h("a.action", { href: `/api/files/${event.evidence}` }, "Evidence"))));
    announce(`Learnt from ${event.games} games. ${check ? (check.holds ? "All fresh games agree." : "Some fresh positions differ.") : ""}`);
  }
}
