// Plans become machines: state machines of the sorts of objects, and PDDL to take away.

import { announce, button, download, fill, h, picture } from "./dom.js";
import { get, listen, post } from "./api.js";
import { chooser } from "./drop.js";

const EXAMPLE = `(board car1 port ferry)
(sail ferry port island)
(debark car1 island ferry)
(sail ferry island port)
(board car2 port ferry)
(sail ferry port island)
(debark car2 island ferry)
(board car1 island ferry)
(debark car1 island ferry)
`;

export async function show(place, [id]) {
  const { files } = await get("files");
  const plans = files.filter((file) => file.kind === "plans");
  const result = h("div");
  const state = h("p.note");
  const stop = button("Stop", () => post(`jobs/${job}/control`, { what: "stop" }), { hidden: true });
  fill(place,
    h("h1", {}, "Plans"),
    h("p.lead", {}, "A file of plans, one action a line such as (board car1 ferry), becomes the machines that its objects go through, and a planning domain."),
    h("div.actions", {}, chooser("Choose plans …"), button("An example", async () => {
      const { take } = await import("./drop.js");
      await take(new File([EXAMPLE], "ferry.plans"));
    }), plans.map((file) => h("a.action", { href: `#/plans/${file.id}`, "aria-current": file.id === id ? "true" : null }, file.name))),
    state, stop, result);
  let job = null;
  if (!id) return null;
  const begun = await post("jobs/plans", { document: id });
  job = begun.id;
  stop.hidden = false;
  state.textContent = "Reading …";
  const done = (event) => {
    state.textContent = `${event.traces} plans with ${event.steps} steps: ${event.sorts} sorts of objects, ${event.machines} machines, ${event.actions} actions.`;
    announce(state.textContent);
    fill(result,
      h("section.card", {}, h("h2", {}, "The machines"), h("div.scroll", { tabindex: 0, role: "region", "aria-label": "The machines" }, picture(event.svg, "The state machines of the sorts of objects")),
        h("div.actions", {}, button("Machines as SVG", () => download("machines.svg", event.svg, "image/svg+xml")), button("Graphviz", () => download("machines.dot", event.dot)))),
      event.notes.length > 0 && h("section.card", {}, h("h2", {}, "To be noted"), h("ul", {}, event.notes.map((note) => h("li", {}, note)))),
      h("section.card", {}, h("h2", {}, "The planning domain"), h("div.actions", {}, button("PDDL", () => download("domain.pddl", event.pddl), { class: "primary" })), h("pre.sheet", { tabindex: 0 }, event.pddl)),
      h("section.card", {}, h("h2", {}, "In words"), h("pre.sheet", { tabindex: 0 }, event.text)));
  };
  const unlisten = listen(job, (event) => {
    if (event.type === "progress") state.textContent = `${event.done} ${event.what} …`;
    if (event.type === "done") done(event);
    if (event.type === "error") {
      state.textContent = "";
      announce(event.error);
      fill(result, h("section.card.bad-news", {}, h("h2", {}, "These plans cannot be read"), h("p", {}, event.error)));
    }
  }, () => { stop.hidden = true; });
  return () => {
    unlisten();
    if (!stop.hidden) post(`jobs/${job}/control`, { what: "stop" }).catch(() => {});
  };
}
