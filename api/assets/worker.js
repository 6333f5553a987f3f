// The search of this browser, off the main thread: one question after another.

import load, { Search } from "/offline/marquis_web.js";

const search = load({ module_or_path: "/offline/marquis_web_bg.wasm" }).then(() => new Search());
search.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error) }));

/** Fetches the proofs that help with a question, each once; the search works without missing ones. */
async function fetchProofs(engine, call, values) {
  for (const name of JSON.parse(engine.proofs(call, ...values))) {
    const reply = await fetch(`/offline/proofs/${name.replaceAll("/", ":")}`).catch(() => null);
    if (!reply?.ok && reply?.status !== 404) continue;
    try {
      engine.add_proof(name, reply.ok ? new Uint8Array(await reply.arrayBuffer()) : new Uint8Array());
    } catch (error) {
      // It is not requested again, and the answer has less in it.
      console.error(error.message);
    }
  }
}

/** The number of tables of a game that are opened: each costs a request. */
const MOST_TABLES = 100;
const TABLES = "/v1/tables";
/** The games whose tables are open. */
const opened = new Set();

/** A range of a table, at once. */
function readRange(file, begin, end) {
  const request = new XMLHttpRequest();
  request.open("GET", `${TABLES}/${file}`, false);
  request.responseType = "arraybuffer";
  request.setRequestHeader("Range", `bytes=${begin}-${end - 1}`);
  request.send();
  if (request.status !== 206) throw new Error(`${request.status} ${request.statusText}`);
  return new Uint8Array(request.response);
}

/** Opens the tables of the service for a game; the search works without them. */
async function openTables(engine, game) {
  if (opened.has(game)) return;
  const reply = await fetch(TABLES).catch(() => null);
  if (!reply?.ok) return;
  opened.add(game);
  const { tables } = await reply.json();
  // The largest have the most pieces, and are the slowest to read.
  const own = tables.filter((one) => one.game === game && !one.address).sort((one, other) => one.bytes - other.bytes).slice(0, MOST_TABLES);
  if (!own.length) return;
  try {
    engine.open_tables(new URL(TABLES, location).href, JSON.stringify(own), readRange);
  } catch (error) {
    console.error(error.message);
  }
}

/** The calls that tables and proofs help, and whether they report progress. */
const HELPED = { ask: false, review: true, balance: true };

addEventListener("message", async ({ data: { id, call, values } }) => {
  try {
    const engine = await search;
    if (call in HELPED) {
      await openTables(engine, JSON.parse(values[0]).game);
      await fetchProofs(engine, call, values);
    }
    const more = HELPED[call] ? [(event, said) => postMessage({ id, event, said })] : [];
    postMessage({ id, answer: JSON.parse(engine[call](...values, ...more)) });
  } catch (error) {
    // An invalid question is reported; any other error has broken the search.
    const broken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, trouble: broken ? "The search in this browser failed." : error.message, broken });
  }
});
