// Marquis as a player of some level, who makes his own moves at a pace that can be followed.

import { ask } from "./api.js";
import { byId, trouble } from "./dom.js";
import { playersOf, nameOf } from "./values.js";

/** How long Marquis waits with its own move, so that it can be followed. */
const PAUSE = 600;
/** Milliseconds after which it asks again where the service had no answer. */
const AGAIN = 3000;
/** Milliseconds that it may think. */
const THINKING = 1000;
/** The level that plays as well as it can. */
export const HIGHEST = 8;

const LEVELS = ["beginner", "novice", "easy", "fair", "good", "strong", "very strong", "as well as it can"];

export class Opponent {
  constructor(play) {
    this.play = play;
    byId("level").append(...LEVELS.map((words, at) => new Option(`${at + 1} · ${words}`, String(at + 1))));
    byId("level").value = String(HIGHEST);
    byId("rival").addEventListener("change", () => this.consider());
  }

  /** Offers the sides of a game; the choice stays where the game has that side, too. */
  offer(game) {
    const rival = byId("rival");
    const chosen = rival.value;
    rival.replaceChildren(new Option("nobody", ""), ...playersOf(game).map((player) => new Option(nameOf(game, player), player)));
    rival.value = [...rival.options].some(({ value }) => value === chosen) ? chosen : "";
  }

  /** The side that Marquis plays, empty where it plays none. */
  get side() {
    return byId("rival").value;
  }

  get level() {
    return Number(byId("level").value);
  }

  /** Whether Marquis is to move here. */
  isToMove(answer) {
    return Boolean(answer) && !answer.over && this.side === answer.turn;
  }

  rest() {
    clearTimeout(this.timer);
    this.abort?.abort();
  }

  /** Makes a move where Marquis is to move; where there are throws, the sticks decide first. */
  consider() {
    this.rest();
    const { play } = this;
    const { answer } = play;
    if (!this.isToMove(answer) || !play.isOpen) return;
    this.timer = setTimeout(() => {
      if (play.answer !== answer) return;
      if (answer.throws && play.throw === null) play.roll();
      this.choose(answer).catch((error) => this.failed(error, answer));
    }, PAUSE);
  }

  /** Says what is wrong and tries again: a busy service has time later. */
  failed(error, answer) {
    if (error.name === "AbortError" || this.play.answer !== answer) return;
    trouble(error);
    this.timer = setTimeout(() => this.consider(), AGAIN);
  }

  async choose(answer) {
    const { play } = this;
    const [first, ...others] = play.moves;
    if (!first) return;
    // Where everything is known the best move is at hand.
    const isAtHand = !others.length || (this.level === HIGHEST && play.isKnown);
    const chosen = isAtHand ? first.move : await this.chosen(this.level);
    if (play.answer !== answer || !this.isToMove(answer)) return;
    play.play(play.moves.find(({ move }) => move === chosen) ?? first);
  }

  /** The move that a player of this level makes here. */
  async chosen(level) {
    const { game, position, agreed, throw: score, clock } = this.play;
    const abort = (this.abort = new AbortController());
    // Marquis has a clock, too.
    const most = clock.running ? clock.remaining(clock.running) / 20 : THINKING;
    const budget = Math.round(Math.max(50, Math.min(THINKING, most)));
    const wanted = score === null ? { level } : { level, throw: score };
    return (await ask(game, position, budget, abort.signal, { ...agreed, ...wanted })).chosen.move;
  }
}
