// Files that are dropped on the page, or chosen: each goes where it is of use.

import { announce, complain, h } from "./dom.js";
import { get, post, upload } from "./api.js";

/** Takes a file to the server and goes to the view that knows what to do with it. */
export async function take(file) {
  announce(`${file.name} is being read`);
  const found = await upload(file);
  await open(found);
}

/** Goes to the view for a file of the server. */
export async function open(found) {
  switch (found.kind) {
    case "rules":
    case "kif":
      location.hash = found.problem ? `#/edit/${found.id}` : `#/read/${found.id}`;
      if (found.problem) complain(new Error(found.problem));
      break;
    case "log":
    case "evidence":
      location.hash = `#/learn/${found.id}`;
      break;
    case "plans":
      location.hash = `#/plans/${found.id}`;
      break;
    case "session": {
      // The rules it was played by, which others may share their name with.
      const { game } = await get(`files/${found.id}/game`);
      const response = await fetch(`/api/files/${found.id}`);
      const table = await post("tables", { game, session: await response.text() });
      location.hash = `#/table/${table.id}`;
      break;
    }
    default:
      announce(`${found.name} is here now: choose it while you play`);
      complain(new Error(`${found.name} is here now: choose it beside the board while you play.`));
  }
  window.dispatchEvent(new Event("files"));
}

export function setUpDropping() {
  const zone = document.getElementById("dropzone");
  let depth = 0;
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    zone.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth - 1);
    zone.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    zone.hidden = true;
    for (const file of event.dataTransfer.files) {
      try {
        await take(file);
      } catch (error) {
        complain(error);
      }
    }
  });
}

/** A button that lets one choose files. */
export function chooser(text) {
  const input = h("input.hidden", { type: "file", multiple: true, id: "chosen-files", tabindex: -1, "aria-label": text });
  input.addEventListener("change", async () => {
    for (const file of input.files) {
      try {
        await take(file);
      } catch (error) {
        complain(error);
      }
    }
    input.value = "";
  });
  return h("span", {}, h("button", { type: "button", onclick: () => input.click() }, text), input);
}
