// First moves that look best and lose: what players of low levels choose, and the greediest capture, held against what is
// proved.

import { ask } from "./api.js";
import { element } from "./dom.js";
import { readMove } from "./texts.js";
import { mirrored, nameOf, wordsOf } from "./values.js";

/** Milliseconds of search for the values of the first moves. */
const VALUES = 4000;
/** Milliseconds for the choice of a level; low levels need less. */
const CHOICE = 300;
/** The levels whose choice is requested. */
const TEMPTED = [1, 2, 3, 4, 5];
/** The number of requests per level. */
const SEEDS = [1, 2];
/** `1, 2 or 4`. */
const ALTERNATIVES = new Intl.ListFormat("en-GB", { type: "disjunction" });
const WORTH = { loss: 0, draw: 1, win: 2 };

export class Traps {
  /**
   * * `open(position)`: plays out a position.
   * * `show(traps)`: draws moves on the board of the set-up.
   */
  constructor(open, show) {
    Object.assign(this, { open, show, place: element("div", { className: "traps" }) });
  }

  clear() {
    this.abort?.abort();
    this.place.replaceChildren();
    this.show([]);
  }

  /** Searches for the traps of both colours whose value is known. */
  async look({ game, first_mover: movers, difficulty }) {
    this.clear();
    const { signal } = (this.abort = new AbortController());
    const found = [];
    try {
      for (const mover of Object.values(movers)) {
        if (mover.value === "unknown" || mover.value === "loss") continue;
        found.push(...await trapsOf(game, mover, difficulty, signal));
        if (signal.aborted) return;
      }
    } catch {
      // Without an answer there are no traps to show; the verdict stays.
      return;
    }
    this.draw(game, found);
  }

  draw(game, found) {
    if (!found.length) return;
    this.place.replaceChildren(
      element("h3", { textContent: found.length === 1 ? "A first move that looks best but is wrong" : "First moves that look best but are wrong" }),
      element("ul", {}, ...found.map(({ move, turn, words, who }) => element("li", {},
        element("span", { className: `chip ${move.value}`, textContent: "!", "aria-hidden": "true" }),
        ` ${nameOf(game, turn)} ${move.move} ${words}: ${who}. `,
        element("button", { type: "button", textContent: "Play from there", onclick: () => this.open(move.position) })))));
    this.show(found.map(({ move }) => ({ ...readMove(move.move), source: "trap" })));
  }
}

/** The traps of one colour: `{ move, turn, words, who }`. */
async function trapsOf(game, { position, value }, { greedy_move: greedy }, signal) {
  const answer = await ask(game, position, VALUES, signal);
  const tempted = new Map();
  for (const level of TEMPTED) {
    for (const seed of SEEDS) {
      const { chosen } = await ask(game, position, CHOICE, signal, { level, seed });
      tempted.set(chosen.move, new Set([...(tempted.get(chosen.move) ?? []), level]));
    }
  }
  const traps = [];
  for (const move of answer.moves.filter(({ move }) => move === greedy || tempted.has(move))) {
    const known = move.value === "unknown" ? mirrored(await ask(game, move.position, VALUES, signal)) : move;
    if (!isWorse(known, value)) continue;
    const levels = [...(tempted.get(move.move) ?? [])];
    const who = [move.move === greedy ? "it captures most" : null, levels.length ? `a player of level ${ALTERNATIVES.format(levels.map(String))} may choose it` : null];
    traps.push({ move: { ...move, value: known.value }, turn: answer.turn, words: wordsOf(known), who: who.filter(Boolean).join(", and ") });
  }
  return traps;
}

/** Whether a move is proved to be worse than this value. */
const isWorse = (move, value) => WORTH[move.value === "unknown" ? move.bounds[1] : move.value] < WORTH[value];
