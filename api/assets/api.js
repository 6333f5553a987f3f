// Calls of the service. A refusal becomes an Error whose message can be shown. Positions, records, reviews and
// balances go to this browser's own search if the visitor chose it or the service cannot be reached.

import { cancelHere, eventsHere, insteadOfWaiting, isHere, jobHere, question, serverIsAway } from "./offline.js";

async function read(response) {
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const { status } = response;
    const busy = status === 429 || status === 503 ? insteadOfWaiting() : "";
    // A proxy in front of a stopped service reports it in its own words.
    const away = status >= 502 && !body?.type;
    throw Object.assign(new Error((body?.detail ?? `The service answered ${status}.`) + busy), { status, away });
  }
  return body;
}

async function call(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw Object.assign(new Error("The service cannot be reached."), { away: true });
  }
  return { response, body: await read(response) };
}

/** The response of the service or, failing that, of this browser's search. */
async function orHere(there, here) {
  if (isHere()) return here();
  try {
    return (await there()).body;
  } catch (error) {
    if (!error.away || !(await serverIsAway())) throw error;
    return here();
  }
}

/** The rules page of a game, as elements. */
export async function rulesPage(game) {
  const response = await fetch(`/rules/${game}`);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const article = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(".rules");
  return document.importNode(article, true);
}

/** The position by the rules alone: the player to move, the legal moves, whether the game is over. */
export function legal(game, position, more = {}) {
  const wished = { position, ...more };
  const here = () => question("moves", [JSON.stringify({ game, ...wished })]);
  return orHere(() => call(`/v1/${game}/moves?${new URLSearchParams(wished)}`), here);
}

/** Why a piece cannot move, or not to a cell, in one sentence; null if it can. */
export async function whyNot({ game, position, from, to, throw: score, agreed = {} }) {
  const more = { from, ...(to && { to }), ...(score && { throw: String(score) }), ...agreed };
  return (await legal(game, position, more)).why_not;
}

/** The tables that the service has loaded. */
export const tables = async () => (await call("/v1/tables")).body.tables;

/** The studies that the service shows. */
export const studies = async () => (await call("/v1/studies")).body.studies;

/** A study with the part of its tree that took most of its effort. */
export const study = async (name) => (await call(`/v1/studies/${encodeURIComponent(name)}`)).body;

/** The answer about a position; a budget of 0 uses tables and rules alone. `agreed`: the players' agreements. */
export async function ask(game, position, budget, signal, agreed = {}) {
  const query = new URLSearchParams({ position, budget_ms: String(budget), ...agreed });
  const asked = JSON.stringify({ game, ...Object.fromEntries(query) });
  const here = () => question("ask", [asked], { signal, time: budget });
  return orHere(() => call(`/v1/${game}?${query}`, { signal }), here);
}

/**
 * A balance, or the job that works on it: `{ balance }` or `{ job }`.
 *
 * * `terms`: `limit_ms`, the job's time limit in milliseconds; `go_on`, whether it continues without listeners.
 */
export const balance = (game, setup, budget, { limit_ms, go_on }) =>
  jobOrHere("balance", game, { ...setup, limit_ms }, { budget_ms: budget, go_on });

/**
 * The result of the service or of this browser if it is ready in time, otherwise the job.
 * `terms`: the terms of the service's jobs alone.
 */
function jobOrHere(kind, game, asked, terms) {
  const there = async () => {
    const { response, body } = await call(`/v1/${game}/${kind}`, sending({ ...asked, ...terms }));
    return { body: response.status === 202 ? { job: body } : { [kind]: body } };
  };
  return orHere(there, () => jobHere(kind, { game, ...asked }, terms.budget_ms));
}

/** The job that found a balance; a job of this browser is not kept. */
export async function jobOf({ game, pie, bait, target, board }) {
  if (isHere()) return {};
  const id = `${game}-${pie}-${bait}-${target}-loss-choice-${board.replaceAll("/", ".")}`;
  return (await call(`/v1/jobs/${encodeURIComponent(id)}`)).body;
}

/** The proved set-ups that ship with the program. */
export const gallery = async (game) => (await call(`/v1/${game}/gallery`)).body;

/** Set-ups that are hard for Player Two, or the job that searches for them: `{ designs }` or `{ job }`. */
export async function design(game, wanted, budget) {
  const { response, body } = await call(`/v1/${game}/design`, sending({ ...wanted, budget_ms: budget }));
  return response.status === 202 ? { job: body } : { designs: body };
}

const sending = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** A record, checked against the rules: every move with its position. */
export const readRecord = (game, record) =>
  orHere(() => call(`/v1/${game}/record`, sending({ record })), () => question("record", [game, record]));

/** A review, or the job that works on it: `{ review }` or `{ job }`. */
export const reviewRecord = (game, record, budget) => jobOrHere("review", game, { record }, { budget_ms: budget });

export const cancelJob = async ({ id, token }) =>
  cancelHere(id) || (await call(`/v1/jobs/${encodeURIComponent(id)}`, { method: "DELETE", headers: { "Job-Token": token } })).body;

/**
 * Follows a job to its end.
 * Calls `progress` with every snapshot and `end` with the finished job; `others` maps the names of other events
 * to their handlers. The result is a function that stops following.
 */
export function follow(id, progress, end, trouble, others = {}) {
  const source = eventsHere(id) ?? new EventSource(`/v1/jobs/${encodeURIComponent(id)}/events`);
  source.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
  for (const [name, told] of Object.entries(others)) source.addEventListener(name, (event) => told(JSON.parse(event.data)));
  for (const name of ["done", "cancelled", "failed"]) {
    source.addEventListener(name, (event) => {
      source.close();
      end(JSON.parse(event.data));
    });
  }
  source.addEventListener("error", () => {
    // The browser reconnects on its own unless the service refused.
    if (source.readyState === EventSource.CLOSED) trouble(new Error("The connection to the job was lost; try again."));
  });
  return () => source.close();
}
