// Marquis as a player of some level. It makes its moves at a pace that people can follow.

import { ask } from "./api.js";
import { byId, trouble } from "./dom.js";
import { playersOf, nameOf } from "./values.js";

/** The delay before Marquis moves, so that people can follow. */
const PAUSE = 600;
/** Milliseconds before it asks again if the service had no answer. */
const AGAIN = 3000;
/** Milliseconds of thinking time. */
const THINKING = 1000;
/** The level of full strength. */
export const HIGHEST = 8;

const LEVELS = ["beginner", "novice", "easy", "fair", "good", "strong", "very strong", "full strength"];

export class Opponent {
  constructor(play) {
    this.play = play;
    byId("level").append(...LEVELS.map((words, at) => new Option(`${at + 1} · ${words}`, String(at + 1))));
    byId("level").value = String(HIGHEST);
    byId("rival").addEventListener("change", () => this.consider());
  }

  /** Offers the sides of a game; keeps the choice if the game has that side. */
  offer(game) {
    const rival = byId("rival");
    const chosen = rival.value;
    rival.replaceChildren(new Option("nobody", ""), ...playersOf(game).map((player) => new Option(nameOf(game, player), player)));
    rival.value = [...rival.options].some(({ value }) => value === chosen) ? chosen : "";
  }

  /** The side that Marquis plays; empty if none. */
  get side() {
    return byId("rival").value;
  }

  get level() {
    return Number(byId("level").value);
  }

  /** Whether it is Marquis's turn. */
  isToMove(answer) {
    return Boolean(answer) && !answer.over && this.side === answer.turn;
  }

  rest() {
    clearTimeout(this.timer);
    this.abort?.abort();
  }

  /** Moves if it is Marquis's turn; in games with throws, it throws first. */
  consider() {
    this.rest();
    const { play } = this;
    const { answer } = play;
    if (!this.isToMove(answer) || !play.isOpen || play.task?.move) return;
    this.timer = setTimeout(() => {
      if (play.answer !== answer) return;
      if (answer.throws && play.throw === null) play.roll();
      this.choose(answer).catch((error) => this.failed(error, answer));
    }, PAUSE);
  }

  /** Reports the error and tries again: a busy service may answer later. */
  failed(error, answer) {
    if (error.name === "AbortError" || this.play.answer !== answer) return;
    trouble(error);
    this.timer = setTimeout(() => this.consider(), AGAIN);
  }

  async choose(answer) {
    const { play } = this;
    const [first, ...others] = play.moves;
    if (!first) return;
    // If all values are known, the best move needs no request.
    const isAtHand = !others.length || (this.level === HIGHEST && play.isKnown);
    const chosen = isAtHand ? first.move : await this.chosen(this.level);
    if (play.answer !== answer || !this.isToMove(answer)) return;
    play.play(play.moves.find(({ move }) => move === chosen) ?? first);
  }

  /** The move of a player of this level. */
  async chosen(level) {
    const { game, position, agreed, throw: score, clock } = this.play;
    const abort = (this.abort = new AbortController());
    // The clock also runs for Marquis.
    const most = clock.running ? clock.remaining(clock.running) / 20 : THINKING;
    const budget = Math.round(Math.max(50, Math.min(THINKING, most)));
    const wanted = score === null ? { level } : { level, throw: score };
    return (await ask(game, position, budget, abort.signal, { ...agreed, ...wanted })).chosen.move;
  }
}
