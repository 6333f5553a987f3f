// Why a piece cannot move, as the rules of the game say it.

import { whyNot } from "./api.js";
import { byId } from "./dom.js";

export class Refusals {
  /** Forgets what was said. */
  clear() {
    this.asked = null;
    byId("why").textContent = "";
  }

  /** * `wish`: `{ game, position, agreed, from, to, throw: score }`; `to` and `throw` may be left out. */
  async ask(wish) {
    const asked = (this.asked = {});
    const why = await whyNot(wish).catch(() => null);
    if (this.asked === asked) byId("why").textContent = why ?? "";
  }

  say(words) {
    this.asked = null;
    byId("why").textContent = words;
  }
}
