// Requests to the server this page came from.

async function answer(response) {
  const text = await response.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : {};
  } catch {
    throw new Error(response.ok ? "the server's answer cannot be read" : `the server answered ${response.status}`);
  }
  if (!response.ok) {
    const error = new Error(value.error ?? `the server answered ${response.status}`);
    error.details = value;
    error.status = response.status;
    throw error;
  }
  return value;
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error("the server does not answer: is it still running?");
  }
  return answer(response);
}

export const get = (path, options) => ask(path, options);

export const post = (path, body = {}, options = {}) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...options });

export const upload = (file) =>
  ask(`files?name=${encodeURIComponent(file.name)}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });

let known = null;

/** What the server offers; asked once. */
export function status() {
  known ??= get("status").catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Listens to a job until it ends or the returned function is called. */
export function listen(id, onevent, onend) {
  const source = new EventSource(`/api/jobs/${id}/events`);
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    source.close();
    onend?.();
  };
  source.onmessage = (message) => onevent(JSON.parse(message.data));
  source.addEventListener("end", end);
  // The browser comes back by itself after a break, unless the job is gone.
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) end();
  };
  return () => {
    ended = true;
    source.close();
  };
}
