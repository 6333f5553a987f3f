// The search in this browser: whether it is available, its worker, and when it is used.

import { byId } from "./dom.js";

/** Milliseconds between two checks whether the server is back. */
const LOOK = 4000;
/** A cancelled question stops the worker if its budget in milliseconds exceeds this. */
const SHORT = 2000;

const CHOSEN = "Searching in this browser.";
const AWAY = "The server cannot be reached. Searching in this browser.";

/** A promise: whether the server offers the search; null before the first request. */
let offered = null;
/** The worker for short questions. */
let own = null;
/** The running jobs of this browser by id. */
const jobs = new Map();
let begun = 0;
let away = false;

const isOffered = () => (offered ??= fetch("/offline/")
  .then((reply) => (reply.ok ? reply.json() : { files: [] }))
  .then(({ files }) => files.length > 0)
  .catch(() => {
    // Ask again when the server is back.
    offered = null;
    return "serviceWorker" in navigator && Boolean(navigator.serviceWorker.controller);
  }));

const NOT_LOADED = "The search for this browser cannot be loaded.";

const gone = () => new DOMException("The request was cancelled.", "AbortError");

/** A worker that runs the search, one question after another. */
class SearchWorker {
  constructor() {
    this.worker = new Worker("/assets/worker.js", { type: "module" });
    this.asked = 0;
    /** The pending questions by number. */
    this.waiting = new Map();
    /** Resolves to true when the search is ready, to false if it cannot be loaded. */
    this.ready = new Promise((resolve) => {
      this.worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve(true);
        if (data.broken) this.end(data.trouble ?? data.broken);
        if (data.broken && !data.id) resolve(false);
        this.heard(data);
      });
      this.worker.addEventListener("error", () => {
        this.end(NOT_LOADED);
        resolve(false);
      });
    });
  }

  heard({ id, event, said, trouble, broken, answer }) {
    const asker = this.waiting.get(id);
    if (event) return asker?.tell?.(event, said);
    this.waiting.delete(id);
    if (trouble) asker?.reject(Object.assign(new Error(trouble), broken ? {} : { status: 400 }));
    else asker?.resolve(answer);
  }

  /** Every pending question is rejected with the reason. */
  end(why) {
    this.worker.terminate();
    this.isOver = true;
    if (own === this) own = null;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }

  /** The answer to a question; `tell` receives the events before it. */
  async ask(call, values, { signal, time = 0, tell } = {}) {
    if (!(await this.ready)) throw new Error(NOT_LOADED);
    if (this.isOver || signal?.aborted) throw gone();
    const id = (this.asked += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, tell });
      signal?.addEventListener("abort", () => {
        if (!this.waiting.delete(id)) return;
        reject(gone());
        if (time > SHORT) this.end("The request was cancelled.");
      });
      this.worker.postMessage({ id, call, values });
    });
  }
}

/** Starts the worker for short questions. Resolves to whether it is ready. */
const start = () => (own ??= new SearchWorker()).ready;

/** The answer of this browser's search; refusals look like those of the server. */
export const question = (call, values, more) => (own ??= new SearchWorker()).ask(call, values, more);

/** A review or a balance in this browser, with the events of a job of the service. It has its own worker. */
class Job extends EventTarget {
  constructor(kind, question) {
    super();
    this.id = `here-${(begun += 1)}`;
    this.events = [];
    this.search = new SearchWorker();
    jobs.set(this.id, this);
    const tell = (name, data) => this.tell(name, data);
    this.result = this.search.ask(kind, [JSON.stringify(question)], { tell });
    const found = kind === "balance" ? "result" : kind;
    this.result.then((result) => this.over("done", { [found]: result }), ({ message }) => this.over("failed", { problem: { detail: message } }));
  }

  /** Repeats the events so far to a new listener, and passes on the later ones. */
  listen() {
    const earlier = this.events;
    this.events = null;
    // After the caller has added its listeners.
    queueMicrotask(() => earlier.forEach((event) => this.dispatchEvent(event)));
    return this;
  }

  tell(type, data) {
    const event = new MessageEvent(type, { data });
    if (this.events) this.events.push(event);
    else this.dispatchEvent(event);
  }

  over(state, found) {
    if (!jobs.delete(this.id)) return;
    this.tell(state, JSON.stringify({ state, ...found }));
    this.search.end("");
  }

  /** Nobody listens any more. */
  close() {
    this.tell = () => {};
    this.over();
  }
}

/** A review or a balance by this browser, if it is ready within `budget` milliseconds; otherwise its running job. */
export async function jobHere(kind, question, budget) {
  const job = new Job(kind, question);
  const late = new Promise((resolve) => { setTimeout(resolve, budget); });
  const ready = await Promise.race([job.result, late]);
  if (ready) return { [kind]: ready };
  // The asker listens at once, or has turned to something else.
  setTimeout(() => job.events && job.close());
  return { job };
}

/** The events of a job of this browser; undefined if there is none of this id. */
export const eventsHere = (id) => jobs.get(id)?.listen();

/** Cancels a job of this browser. Returns whether there is one of this id. */
export function cancelHere(id) {
  const job = jobs.get(id);
  job?.over("cancelled", {});
  return Boolean(job);
}

/** Whether questions go to this browser: by the visitor's choice, or because the server cannot be reached. */
export const isHere = () => away || byId("here").checked;

/** An extra hint for visitors of a busy server. */
export const insteadOfWaiting = () => (byId("here-label").hidden ? "" : " Or tick “Search here” to search in this browser.");

/** Notes that the server cannot be reached. Resolves to whether this browser can answer in its place. */
export async function serverIsAway() {
  if (away) return true;
  if (!(await isOffered()) || !(await start())) return false;
  away = true;
  tell();
  setTimeout(look, LOOK);
  return true;
}

async function look() {
  try {
    away = !(await fetch("/livez", { cache: "no-store" })).ok;
  } catch {
    away = true;
  }
  if (away) setTimeout(look, LOOK);
  tell();
}

function tell() {
  const words = away ? AWAY : byId("here").checked ? CHOSEN : "";
  byId("where").hidden = !words;
  if (byId("where").textContent !== words) byId("where").textContent = words;
}

/** Offers this browser's search if the server has it, and loads it in advance. */
export async function offer(changed) {
  if (!(await isOffered())) return;
  const here = byId("here");
  byId("here-label").hidden = false;
  here.addEventListener("change", () => {
    tell();
    remember(here.checked);
    changed();
  });
  if (recalled()) {
    here.checked = true;
    tell();
  }
  // Three megabytes: skip the download if the visitor asked to save data.
  if (!here.checked && navigator.connection?.saveData) return;
  if (await start()) await keepPage();
  document.documentElement.dataset.offline = own ? "ready" : "none";
}

/** Caches the page and the search for a later visit without a server, if the browser allows it. */
async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/assets/sw.js", { scope: "/" });
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
    const assets = new Set(loaded.filter((path) => path.startsWith("/assets/")));
    const search = ["/offline/", "/offline/marquis_web.js", "/offline/marquis_web_bg.wasm", "/assets/worker.js"];
    const kept = await caches.open("marquis");
    await kept.addAll(["/", ...new Set([...assets, ...search])]);
  } catch {
    // Without the cache the page works until it is closed.
  }
}

function remember(is) {
  try {
    localStorage.setItem("here", is ? "1" : "");
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function recalled() {
  try {
    return localStorage.getItem("here") === "1";
  } catch {
    return false;
  }
}
