// The search in this browser: whether it is available, its worker, and when it is used.

import { byId } from "./dom.js";

/** Milliseconds between two checks whether the server is back. */
const LOOK = 4000;
/** A cancelled question stops the worker if its budget in milliseconds exceeds this. */
const SHORT = 2000;

const CHOSEN = "Searching in this browser, without tables.";
const AWAY = "The server cannot be reached. Searching in this browser, without tables.";

/** A promise: whether the server offers the search; null before the first request. */
let offered = null;
/** The worker, and a promise that resolves to true when it is ready. */
let own = null;
/** The pending questions by number. */
const waiting = new Map();
let asked = 0;
let away = false;

const isOffered = () => (offered ??= fetch("/offline/")
  .then((reply) => (reply.ok ? reply.json() : { files: [] }))
  .then(({ files }) => files.length > 0)
  .catch(() => {
    // Ask again when the server is back.
    offered = null;
    return "serviceWorker" in navigator && Boolean(navigator.serviceWorker.controller);
  }));

/** Starts the worker. Resolves to true when it is ready, to false if it cannot be loaded. */
function start() {
  if (own) return own.ready;
  const worker = new Worker("/assets/worker.js", { type: "module" });
  const ready = new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) resolve(true);
      if (data.broken) drop(data.trouble ?? data.broken);
      if (data.broken && !data.id) resolve(false);
      const asker = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.trouble) asker?.reject(Object.assign(new Error(data.trouble), data.broken ? {} : { status: 400 }));
      else asker?.resolve(data.answer);
    });
    worker.addEventListener("error", () => {
      drop("The search for this browser cannot be loaded.");
      resolve(false);
    });
  });
  own = { worker, ready };
  return ready;
}

/** Ends the worker; every pending question is rejected with the reason. */
function drop(why) {
  own?.worker.terminate();
  own = null;
  for (const { reject } of waiting.values()) reject(new Error(why));
  waiting.clear();
}

/** The answer of this browser's search; refusals look like those of the server. */
export async function question(call, values, { signal, time = 0 } = {}) {
  const gone = () => new DOMException("The request was cancelled.", "AbortError");
  if (!(await start())) throw new Error("The search for this browser cannot be loaded.");
  if (signal?.aborted) throw gone();
  const id = (asked += 1);
  const { worker } = own;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    signal?.addEventListener("abort", () => {
      if (!waiting.delete(id)) return;
      reject(gone());
      if (time > SHORT) drop("The request was cancelled.");
    });
    worker.postMessage({ id, call, values });
  });
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
