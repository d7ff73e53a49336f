// The page: which view an address means.

import { complain, fill, h } from "./dom.js";
import { setUpDropping } from "./drop.js";
import * as games from "./games.js";
import * as play from "./play.js";
import * as learn from "./learn.js";
import * as read from "./read.js";
import * as edit from "./edit.js";
import * as plans from "./plans.js";
import * as know from "./know.js";

const VIEWS = { "": games.show, play: play.open, table: play.show, learn: learn.show, read: read.show, edit: edit.show, plans: plans.show, know: know.show };
const TITLES = { "": "Games", play: "Play", table: "Play", learn: "Watch and learn", read: "Read", edit: "Change the rules", plans: "Plans", know: "Learn to play" };

let leave = null;
let current = 0;

async function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/").map(decodeURIComponent);
  if (location.hash && !location.hash.startsWith("#/")) return;
  const mine = ++current;
  leave?.();
  leave = null;
  const main = document.getElementById("main");
  for (const link of document.querySelectorAll("#nav a")) {
    const is = link.getAttribute("href") === `#/${view}` || (view === "table" || view === "play" || view === "read" || view === "know") && link.getAttribute("href") === "#/";
    if (is) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[view] ?? "Onlooker"} · Onlooker`;
  const place = h("div.view");
  fill(main, place);
  try {
    const show = VIEWS[view];
    if (!show) throw new Error("there is no such page");
    const stop = await show(place, rest, new URLSearchParams(query));
    // Somebody may have gone on meanwhile.
    if (mine === current) leave = stop ?? null;
    else stop?.();
  } catch (error) {
    if (mine !== current) return;
    fill(place, h("h1", {}, "This cannot be shown"), h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "To all games")));
  }
}

addEventListener("hashchange", route);
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  complain(event.reason);
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
setUpDropping();
route();
