// The server's HTTP API. Every error is a Problem whose message is one sentence.

export class Problem extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function ask(method, path, body, signal) {
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
