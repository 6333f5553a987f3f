// The search of this browser, off the thread that draws the page: one question after another.

import load, { Search } from "/offline/marquis_web.js";

const search = load({ module_or_path: "/offline/marquis_web_bg.wasm" }).then(() => new Search());
search.then(() => postMessage({ ready: true }), (error) => postMessage({ broken: String(error) }));

addEventListener("message", async ({ data: { id, call, values } }) => {
  try {
    postMessage({ id, answer: JSON.parse((await search)[call](...values)) });
  } catch (error) {
    // What is wrong with a question is said; whatever else ends it has broken the search.
    const broken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, trouble: broken ? "The search of this browser broke off." : error.message, broken });
  }
});
