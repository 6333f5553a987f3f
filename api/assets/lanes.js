// The value of a set-up for the first mover, with each colour: an estimate until it is proved.

import { ask } from "./api.js";
import { byId, element } from "./dom.js";
import { chancesOf, nameOf, percent, signOf, wordsOf } from "./values.js";

const COLOURS = ["w", "b"];
/** Milliseconds of the search that estimates a colour, and of the second one if the first is inconclusive. */
const LOOKS = [1000, 5000];

export class Lanes {
  /** * `open(position)`: plays out a position. */
  constructor(open) {
    this.open = open;
    this.place = byId("lanes");
  }

  clear() {
    this.abort?.abort();
    this.known = {};
    this.place.replaceChildren();
  }

  /** Asks for an estimate of each colour, in parallel to the balance job. */
  look(game, { board, bait = 0, target }) {
    this.clear();
    this.game = game;
    const abort = (this.abort = new AbortController());
    this.draw();
    for (const colour of COLOURS) {
      const store = colour === "w" ? `0-${bait}` : `${bait}-0`;
      const position = [board, colour, store, target].filter((field) => field !== undefined).join(" ");
      this.glance(game, position, colour, abort.signal);
    }
  }

  async glance(game, position, colour, signal) {
    try {
      for (const time of LOOKS) {
        const answer = await ask(game, position, time, signal);
        this.take(colour, answer);
        if (chancesOf(answer)) return;
      }
    } catch {
      // The job itself reports proved values.
    }
  }

  /** Takes the job's progress on both colours: the worst and the best value. */
  told(movers) {
    for (const colour of COLOURS) {
      const [worst, best] = movers[colour] ?? [];
      const before = this.known[colour]?.bounds ?? [];
      if (worst && (worst !== before[0] || best !== before[1])) this.take(colour, { value: worst === best ? worst : "unknown", bounds: [worst, best], plies: null });
    }
  }

  /** Merges new knowledge about a colour; proved values are never withdrawn. */
  take(colour, { value, bounds, plies, wdl, source, estimate }) {
    const before = this.known[colour];
    if (before && before.value !== "unknown") return;
    const look = wdl ? { wdl, source, estimate } : { wdl: before?.wdl, source: before?.source, estimate: before?.estimate };
    this.known[colour] = { value, bounds, plies, ...(value === "unknown" ? look : { wdl, source }) };
    this.draw();
  }

  draw() {
    this.place.replaceChildren(...COLOURS.map((colour) => element("li", { className: "lane" },
      this.chip(this.known[colour]), element("span", {}, `${nameOf(this.game, colour)} moving first `,
        this.known[colour] ? wordsOf(this.known[colour]) : "searching …"), this.bar(colour, this.known[colour]))));
  }

  chip(verdict) {
    return element("span", { className: `chip ${verdict?.value ?? "unknown"}`, textContent: verdict ? signOf(verdict) : "…", "aria-hidden": "true" });
  }

  /** The first mover's chances, in the players' colours. */
  bar(colour, verdict) {
    const chances = verdict && chancesOf(verdict);
    if (!chances) return null;
    const rival = COLOURS.find((other) => other !== colour);
    const shares = [[colour, chances.win], ["draw", chances.draw], [rival, chances.loss]];
    const parts = shares.map(([kind, share]) => {
      const part = element("span", { className: kind });
      part.style.width = `${100 * share}%`;
      return part;
    });
    return element("span", { className: `chances ${chances.source}`, role: "img", "aria-label": `${nameOf(this.game, colour)} ${percent(chances.win)}` }, ...parts);
  }

  /** Both colours of a balance, each with a button that shows it on the board. */
  list({ first_mover: movers, balanced, game }) {
    this.abort?.abort();
    this.place.replaceChildren();
    this.game = game;
    return element("ul", { className: "lanes" }, ...COLOURS.filter((colour) => movers[colour]).map((colour) => {
      const mover = movers[colour];
      const best = mover.best.length ? ` Best: ${mover.best.join(", ")}.` : "";
      const isIdle = mover.value === "unknown" && balanced !== null;
      return element("li", { className: "lane" }, isIdle ? null : this.chip(mover),
        element("span", {}, `${nameOf(game, colour)} moving first ${isIdle ? "does not affect the verdict" : wordsOf(mover)}.${best} `),
        element("button", { type: "button", textContent: "Show on the board", onclick: () => this.open(mover.position, mover) }),
        isIdle ? null : this.bar(colour, mover));
    }));
  }
}

