// A clock for two players, with an increment for every move.

import { byId, element, say } from "./dom.js";
import { nameOf } from "./values.js";

/** Milliseconds between two drawings of the clock. */
const TICK = 100;
/** The clock is announced at this many seconds left. */
const WARNINGS = [60, 10];

export class Clock {
  /** * `fallen(player)`: this player's time is up. */
  constructor(fallen) {
    this.fallen = fallen;
    this.place = byId("clocks");
  }

  /** Sets both clocks, stopped until a player is to move; `seconds` and `increment` are in seconds. */
  set(game, players, seconds, increment) {
    this.stop();
    this.game = game;
    this.increment = 1000 * increment;
    this.left = Object.fromEntries(players.map((player) => [player, 1000 * seconds]));
    this.place.hidden = false;
    this.draw();
  }

  /** Removes the clocks. */
  clear() {
    this.stop();
    this.left = null;
    this.place.hidden = true;
  }

  get isSet() {
    return Boolean(this.left);
  }

  /** Starts the clock of one player and stops the other. */
  run(player) {
    if (!this.left || this.running === player) return;
    this.stop();
    this.running = player;
    this.since = performance.now();
    this.warned = WARNINGS.filter((seconds) => this.left[player] > 1000 * seconds);
    this.timer = setInterval(() => this.tick(), TICK);
    this.draw();
  }

  /** The player has moved: stops his clock and adds the increment. */
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

  /** Milliseconds left for a player. */
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

/** Minutes and seconds, with tenths near the end. */
export function shown(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}
