// The engine in its worker.

import load, { Search } from "./web/marquis_web.js";

const search = load({ module_or_path: new URL("./web/marquis_web_bg.wasm", import.meta.url) }).then(() => new Search());

addEventListener("message", async ({ data: { id, call, values, hasEvents } }) => {
  let engine = null;
  try {
    engine = await search;
    const tell = hasEvents ? [(event, said) => postMessage({ id, event, said })] : [];
    postMessage({ id, answer: JSON.parse(engine[call](...values, ...tell)) });
  } catch (error) {
    // An engine that did not load or has failed answers no further question.
    postMessage({ id, trouble: error.message, isBroken: !engine || error instanceof WebAssembly.RuntimeError });
  }
});
