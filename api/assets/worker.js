// The search of this browser, off the main thread: one question after another.

import load, { Search } from "/offline/marquis_web.js";

const search = load({ module_or_path: "/offline/marquis_web_bg.wasm" }).then(() => new Search());
search.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error) }));

/** Fetches the proofs that help with a question, each once; the search works without missing ones. */
async function fetchProofs(engine, values) {
  for (const name of JSON.parse(engine.proofs(...values))) {
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

addEventListener("message", async ({ data: { id, call, values } }) => {
  try {
    if (call === "ask") await fetchProofs(await search, values);
    postMessage({ id, answer: JSON.parse((await search)[call](...values)) });
  } catch (error) {
    // An invalid question is reported; any other error has broken the search.
    const broken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, trouble: broken ? "The search in this browser failed." : error.message, broken });
  }
});
