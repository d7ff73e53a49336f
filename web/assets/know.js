// Learning to play: concepts from playouts, and what to expect of a player.

import { announce, button, fill, h, labelled, select } from "./dom.js";
import { get, listen, post, status } from "./api.js";

export async function show(place, [id]) {
  const [game, { agents }] = await Promise.all([get(`games/${encodeURIComponent(id)}`), status()]);
  const state = h("p.say");
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "How much is done" });
  const result = h("div");
  let job = null, unlisten = null;
  const stop = button("Stop", () => post(`jobs/${job}/control`, { what: "stop" }), { hidden: true });
  const follow = (found, done) => {
    unlisten?.();
    job = found.id;
    stop.hidden = progress.hidden = false;
    fill(result);
    unlisten = listen(job, (event) => {
      if (event.type === "progress") {
        state.textContent = `${event.done} of ${event.of} ${event.what}`;
        progress.value = event.of ? event.done / event.of : 0;
      } else if (event.type === "done") {
        done(event);
      } else if (event.type === "error") {
        state.textContent = "";
        announce(event.error);
        fill(result, h("section.card.bad-news", {}, h("h2", {}, "Nothing was learnt"), h("p", {}, event.error)));
      }
    }, () => { stop.hidden = progress.hidden = true; });
  };
  const playLink = (event) => h("div.actions", {}, h("a.action.primary", { href: `#/play/${encodeURIComponent(id)}?know=${event.document}` }, "Play with it"), h("a.action", { href: `/api/files/${event.document}` }, "Download"));
  const roles = game.played.map((role) => ({ value: String(role), text: game.roles[role] }));
  const role = select(roles, roles.at(-1).value);
  const player = select(agents.filter((agent) => !agent.name.includes("20000")).map((agent) => ({ value: agent.name, text: agent.title })), "greedy");
  const foe = select(agents.filter((agent) => agent.name.startsWith("mcts") || agent.name.startsWith("alphabeta")).map((agent) => ({ value: agent.name, text: agent.title })), "mcts:1000");
  fill(place,
    h("h1", {}, `Learn to play ${game.name.replaceAll("-", " ")}`),
    h("div.actions", {}, h("a.action", { href: `#/play/${encodeURIComponent(id)}` }, "Play"), game.kind === "rules" && h("a.action", { href: `#/read/${encodeURIComponent(id)}` }, "Read")),
    h("section.card", {}, h("h2", {}, "Concepts"), h("p", {}, "Random games are played, and what won games have in common that lost ones have not becomes rules with values: what a position is worth."),
      h("div.actions", {}, button("Find concepts", async () => follow(await post("jobs/concepts", { game: id }), (event) => {
        state.textContent = `${event.rules} rules from ${event.playouts} playouts.`;
        announce(state.textContent);
        fill(result, h("section.card.good-news", {}, h("h2", {}, "What was found"), playLink(event),
          h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "For"), h("th", { scope: "col" }, "What holds"), h("th", { scope: "col" }, "Worth"))),
            h("tbody", {}, event.concepts.map((concept) => h("tr", {}, h("td", {}, concept.role), h("td", {}, concept.words, h("br"), h("code", {}, concept.text)), h("td.number", {}, concept.value.toFixed(3))))))));
      }), { class: "primary" }))),
    game.roles.length > 1 && h("section.card", {}, h("h2", {}, "What to expect of a player"), h("p", {}, "A player is watched in games against a random one, and a model learns which moves to expect."),
      h("div.toolbar", {}, labelled("Player", player), labelled("As", role),
        button("Watch that player", async () => follow(await post("jobs/opponent", { game: id, player: player.value, role: Number(role.value) }), (event) => {
          state.textContent = `${event.turns} turns of ${event.player} as ${event.role} were seen.`;
          announce(state.textContent);
          fill(result, h("section.card.good-news", {}, h("h2", {}, "The model"), h("p", {}, state.textContent), playLink(event)));
        }), { class: "primary" }))),
    game.kind === "rules" && game.roles.length === 2 && h("section.card", {}, h("h2", {}, "Combinations"), h("p", {}, "For games in which stones are put down and so many in a line win: every lost game is explained, and what forced the loss becomes a rule that is proved before it is used."),
      h("div.toolbar", {}, labelled("Lose to", foe),
        button("Learn from losses", async () => follow(await post("jobs/tactics", { game: id, player: foe.value }), (event) => {
          state.textContent = `${event.rules} rules from ${event.losses} lost games, ${event.proved} of them proved.`;
          announce(state.textContent);
          fill(result, h("section.card.good-news", {}, h("h2", {}, "Winning combinations"), playLink(event), event.shown.map((text) => h("pre.sheet", { tabindex: 0 }, text))));
        }), { class: "primary" }))),
    state, progress, stop, result);
  return () => {
    unlisten?.();
    if (!stop.hidden && job) post(`jobs/${job}/control`, { what: "stop" }).catch(() => {});
  };
}
