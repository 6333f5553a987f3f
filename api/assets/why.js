// Why a piece cannot move, explained by the rules of the game.

import { whyNot } from "./api.js";
import { byId } from "./dom.js";

export class Refusals {
  /** Clears the explanation. */
  clear() {
    this.asked = null;
    byId("why").textContent = "";
  }

  /** * `wish`: `{ game, position, agreed, from, to, throw: score }`; `to` and `throw` are optional. */
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
