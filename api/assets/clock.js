// A clock for two players: each has a time of his own and gets some back with every move.

import { byId, element, say } from "./dom.js";
import { nameOf } from "./values.js";

/** How often the clock is drawn, in milliseconds. */
const TICK = 100;
/** Seconds left at which it is said aloud. */
const WARNINGS = [60, 10];

export class Clock {
  /** * `fallen(player)`: the time of this player is up. */
  constructor(fallen) {
    this.fallen = fallen;
    this.place = byId("clocks");
  }

  /** Sets both clocks, which stand until somebody is to move; `seconds` and `increment` are in seconds. */
  set(game, players, seconds, increment) {
    this.stop();
    this.game = game;
    this.increment = 1000 * increment;
    this.left = Object.fromEntries(players.map((player) => [player, 1000 * seconds]));
    this.place.hidden = false;
    this.draw();
  }

  /** Takes the clocks away. */
  clear() {
    this.stop();
    this.left = null;
    this.place.hidden = true;
  }

  get isSet() {
    return Boolean(this.left);
  }

  /** Lets the time of a player run, and nobody else's. */
  run(player) {
    if (!this.left || this.running === player) return;
    this.stop();
    this.running = player;
    this.since = performance.now();
    this.warned = WARNINGS.filter((seconds) => this.left[player] > 1000 * seconds);
    this.timer = setInterval(() => this.tick(), TICK);
    this.draw();
  }

  /** The player has moved: his clock stands, with what he gets for the move. */
  pressed(player) {
    if (this.running !== player) return;
    this.stop();
    this.left[player] += this.increment;
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    if (this.running) this.left[this.running] = Math.max(0, this.remaining(this.running));
    this.running = null;
    if (this.left) this.draw();
  }

  /** Milliseconds that a player has left. */
  remaining(player) {
    return this.left[player] - (this.running === player ? performance.now() - this.since : 0);
  }

  tick() {
    const player = this.running;
    const left = this.remaining(player);
    if (left <= 0) {
      this.stop();
      return this.fallen(player);
    }
    const due = this.warned.find((seconds) => left <= 1000 * seconds);
    if (due) {
      this.warned = this.warned.filter((seconds) => seconds < due);
      say(`${nameOf(this.game, player)} has ${due} seconds left.`);
    }
    this.draw();
  }

  draw() {
    this.place.replaceChildren(...Object.keys(this.left).map((player) => {
      const left = this.remaining(player);
      const state = [this.running === player && "running", left <= 1000 * WARNINGS.at(-1) && "short"].filter(Boolean).join(" ");
      return element("span", { className: `clock ${player} ${state}`, role: "timer", "aria-label": `${nameOf(this.game, player)}'s time`, "aria-live": "off" },
        element("span", { className: "who", textContent: nameOf(this.game, player) }), element("b", { textContent: shown(left) }));
    }));
  }
}

/** Minutes and seconds, near the end with tenths. */
export function shown(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
