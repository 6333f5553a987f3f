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

/** The calls that proofs help, and whether they report progress. */
const HELPED = { ask: false, review: true, balance: true };

addEventListener("message", async ({ data: { id, call, values } }) => {
  try {
    const engine = await search;
    if (call in HELPED) await fetchProofs(engine, call, values);
    const more = HELPED[call] ? [(event, said) => postMessage({ id, event, said })] : [];
    postMessage({ id, answer: JSON.parse(engine[call](...values, ...more)) });
  } catch (error) {
    // An invalid question is reported; any other error has broken the search.
    const broken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, trouble: broken ? "The search in this browser failed." : error.message, broken });
  }
});
