// The engine of Marquis in the process itself, for Node, Deno and Bun: a question blocks it for its budget.

import { readFile } from "node:fs/promises";

import { Questions } from "./questions.js";
import load, { Search } from "./web/marquis_web.js";

let search = null;

async function open() {
  await load({ module_or_path: await readFile(new URL("./web/marquis_web_bg.wasm", import.meta.url)) });
  return new Search();
}

export class Engine extends Questions {
  async answer(call, values, ...tell) {
    return JSON.parse((await (search ??= open()))[call](...values, ...tell));
  }

  /** Has no effect: the engine ends with the process. */
  close() {}
}
