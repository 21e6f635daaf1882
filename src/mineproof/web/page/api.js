// The server's HTTP API. Every error is a Problem whose message is one sentence.

export class Problem extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

const root = document.documentElement;

/** How many requests wait for an answer: `data-asking` says so while there are any. */
function count(change) {
  const asking = Number(root.dataset.asking ?? 0) + change;
  if (asking) root.dataset.asking = asking;
  else delete root.dataset.asking;
}

async function ask(...request) {
  count(1);
  try {
    return await send(...request);
  } finally {
    count(-1);
  }
}

async function send(method, path, body, signal) {
  let response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer.");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw new Problem(response.status, answer?.detail ?? `The server answers ${response.status}.`);
  }
  return answer;
}

export const get = (path, signal) => ask("GET", path, undefined, signal);
export const post = (path, body, signal) => ask("POST", path, body, signal);
export const remove = (path) => ask("DELETE", path);
