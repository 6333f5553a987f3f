// Proved set-ups that ship with the program, from easy to hard: puzzles to solve and play out.

import { gallery } from "./api.js";
import { byId, element, trouble } from "./dom.js";
import { setUpCard } from "./setupcard.js";

export class Gallery {
  /** * `ways`: `play(position)` plays out a set-up, `open(board)` opens it in the laboratory. */
  constructor(ways) {
    this.ways = ways;
  }

  async show(game) {
    const place = byId("exhibits");
    if (this.shown === game) return;
    this.shown = game;
    place.replaceChildren(element("li", { textContent: "Looking …" }));
    try {
      const { set_ups: exhibits } = await gallery(game);
      if (this.shown !== game) return;
      place.replaceChildren(...exhibits.map((set, at) => setUpCard(`No. ${at + 1}`, { ...set, game }, this.ways)));
    } catch (error) {
      this.shown = null;
      place.replaceChildren();
      trouble(error);
    }
  }
}
