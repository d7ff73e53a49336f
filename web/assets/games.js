// All games, each with a small board, and the files that are here.

import { button, fill, h } from "./dom.js";
import { get, status } from "./api.js";
import { miniature } from "./board.js";
import { chooser, open } from "./drop.js";

const FROM = { given: "from the command line", dropped: "dropped or learnt here", catalogue: "" };

function card(game) {
  const id = encodeURIComponent(game.id);
  const from = [game.learnt && `learnt from ${game.learnt} games`, FROM[game.from]].filter(Boolean).join(", ");
  const links = game.error
    ? [h("a.action", { href: `#/edit/${id}` }, "Mend the rules")]
    : [
        h("a.action.primary", { href: `#/play/${id}` }, "Play"),
        h("a.action", { href: `#/learn/${id}` }, "Watch and learn"),
        game.kind === "rules" && h("a.action", { href: `#/read/${id}` }, "Read"),
        h("a.action", { href: `#/edit/${id}` }, "Change"),
        h("a.action", { href: `#/know/${id}` }, "Learn to play"),
      ];
  for (const link of links) if (link) link.setAttribute("aria-label", `${link.textContent}: ${game.name}`);
  return h("li.card.game", {},
    h("div.game-picture", {}, game.board ? miniature(game.board, `The board of ${game.name} at the start`) : h("div.no-board", { "aria-hidden": "true" }, game.error ? "!" : "λ")),
    h("div.game-text", {},
      h("h2", {}, game.name.replaceAll("-", " ")),
      h("p", {}, game.error ? `These rules cannot be read: ${game.error}` : game.about),
      from && h("p.note", {}, from),
      h("div.actions", {}, links)));
}

const USE = { log: "Learn from it", evidence: "Learn from it", plans: "See its machines", session: "Go on playing", concepts: "", opponent: "", tactics: "" };

function size(bytes) {
  return bytes < 1e3 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export async function show(place) {
  const list = h("ul.games");
  const others = h("section", { "aria-label": "Files" });
  const note = h("p.note");
  fill(place,
    h("div.intro", {},
      h("h1", {}, "Games"),
      h("p.lead", {}, "Play them, read their rules, change them, or watch how they are learnt. Drop a log, rules, a rule sheet, plans or a saved game anywhere on this page."),
      h("div.actions", {}, chooser("Choose files …"), h("a.action", { href: "#/edit" }, "Write new rules")),
      note),
    list, others);
  const refresh = async () => {
    const [{ games }, { files }, { lasting, given }] = await Promise.all([get("games"), get("files"), status()]);
    const isGiven = (game) => given.includes(game.id);
    games.sort((one, other) => isGiven(other) - isGiven(one));
    fill(list, games.map(card));
    note.textContent = lasting
      ? "What you drop, learn and play is kept: it is still here after a restart."
      : "What you drop, learn and play is kept while the server runs; start it with --save FOLDER to keep it for longer.";
    const rest = files.filter((file) => file.kind !== "rules" && file.kind !== "kif");
    fill(others, rest.length > 0 && [
      h("h2", {}, "Files"),
      h("ul.files", {}, rest.map((file) => h("li", {},
        h("span", {}, h("strong", {}, file.name), ` ${file.kind}, ${size(file.bytes)}`),
        h("span.actions", {},
          USE[file.kind] && button(USE[file.kind], async () => open(file), { "aria-label": `${USE[file.kind]}: ${file.name}` }),
          h("a.action", { href: `/api/files/${file.id}`, "aria-label": `Download ${file.name}` }, "Download"))))),
    ]);
  };
  await refresh();
  const again = () => refresh().catch(() => {});
  addEventListener("files", again);
  return () => removeEventListener("files", again);
}
