// The engine of Marquis in a worker of the browser, one question after another.

import { Questions } from "./questions.js";

export class Engine extends Questions {
  #worker = null;
  /** The pending questions by number. */
  #waiting = new Map();
  #asked = 0;

  answer(call, values, tell) {
    const worker = (this.#worker ??= this.#start());
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, tell });
      worker.postMessage({ id, call, values, hasEvents: Boolean(tell) });
    });
  }

  /** Ends the worker and the search in it; the next question starts another one. */
  close() {
    this.#drop("the engine was closed");
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("error", () => worker === this.#worker && this.#drop("the engine cannot be loaded"));
    worker.addEventListener("message", ({ data: { id, event, said, answer, trouble, isBroken } }) => {
      const asker = this.#waiting.get(id);
      if (event) return asker?.tell(event, said);
      this.#waiting.delete(id);
      if (trouble === undefined) asker?.resolve(answer);
      else asker?.reject(new Error(trouble));
      if (isBroken && worker === this.#worker) this.#drop(trouble);
    });
    return worker;
  }

  #drop(why) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }
}
