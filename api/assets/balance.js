// Balancing a set-up: the request, its progress, and the verdict in words.

import { balance, cancelJob, follow } from "./api.js";
import { byId, element, trouble } from "./dom.js";
import { endOf, nameOf, percent, plies, wordsOf } from "./values.js";

/** Milliseconds that the request itself may wait; after that the progress is shown. */
const AT_ONCE = 300;

export class Balancing {
  /** * `open(position)`: plays a position out. */
  constructor(open) {
    this.open = open;
    byId("cancel").addEventListener("click", () => this.job && cancelJob(this.job).catch(trouble));
  }

  async start(game, setup) {
    this.reset();
    const turn = (this.turn = {});
    byId("progress").textContent = "Weighing …";
    byId("balance").disabled = true;
    try {
      const { balance: result, job } = await balance(game, setup, AT_ONCE);
      if (this.turn !== turn) return;
      if (result) return this.show(result);
      this.job = job;
      byId("cancel").hidden = false;
      this.stop = follow(job.id, (progress) => this.progress(progress), (end) => this.ended(end), (error) => this.failed(error));
    } catch (error) {
      if (this.turn === turn) this.failed(error);
    }
  }

  /** Forgets what was shown; the job goes on in the service. */
  reset() {
    this.stop?.();
    this.stop = this.job = this.turn = null;
    byId("cancel").hidden = true;
    byId("progress").textContent = "";
    byId("result").replaceChildren();
    trouble(null);
  }

  progress({ state, phase, nodes, seconds, bounds, ahead }) {
    const range = bounds ? `; Player Two: ${bounds[0] === bounds[1] ? bounds[0] : `${bounds[0]} to ${bounds[1]}`}` : "";
    byId("progress").textContent = state === "queued"
      ? ahead ? `Waiting: ${ahead} before this one …` : "Waiting for a thread …"
      : `${phase ?? "weighing"}: ${nodes.toLocaleString("en")} nodes, ${seconds.toFixed(1)} s${range}`;
  }

  ended({ state, result, problem }) {
    if (state === "done") return this.show(result);
    if (state === "cancelled" && result) {
      this.show(result);
      byId("progress").textContent = "Cancelled. This is what was known by then:";
      return;
    }
    this.done();
    byId("progress").textContent = state === "cancelled" ? `Cancelled. ${endOf({ ended: "stopped" })}` : "";
    if (problem) trouble(new Error(problem.detail));
  }

  failed(error) {
    this.done();
    byId("progress").textContent = "";
    trouble(error);
  }

  done() {
    this.stop?.();
    this.stop = this.job = null;
    byId("cancel").hidden = true;
    byId("balance").disabled = false;
  }

  show(balance) {
    this.done();
    byId("progress").textContent = "";
    const { first_mover: movers, difficulty, game } = balance;
    const colours = ["w", "b"].filter((colour) => movers[colour]).map((colour) => {
      const mover = movers[colour];
      const best = mover.best.length ? ` Best: ${mover.best.join(", ")}.` : "";
      return element("li", {},
        `${nameOf(game, colour)} moving first ${mover.value === "unknown" ? (balance.balanced === null ? wordsOf(mover) : "need not be decided for that") : wordsOf(mover)}.${best} `,
        element("button", { type: "button", textContent: "Show on the board", onclick: () => this.open(mover.position) }));
    });
    const traps = trapsOf(balance, difficulty);
    const unproved = movers.w?.unproved ?? movers.b?.unproved;
    const stop = endOf({ ended: balance.ended, game, unproved });
    byId("result").replaceChildren(element("div", { className: "result" },
      element("h3", { textContent: verdictOf(balance) }),
      stop ? element("p", { className: "ended", textContent: stop }) : null,
      element("ul", {}, ...colours),
      traps.length ? element("p", { textContent: traps.join(" ") }) : null,
      element("p", { className: "help", textContent: `${difficulty.nodes.toLocaleString("en")} nodes; ${balance.target} beads win.` })));
  }
}

/** What Player Two should do: `Take the bait: you win in 17.` */
export function verdictOf(balance) {
  const { player_two: two, first_mover: movers, balanced } = balance;
  if (balanced === true) return "Balanced: with best play it is a draw, whatever Player Two chooses.";
  if (balanced === null) {
    const known = two.bounds[0] === "draw" ? "Not decided in time. Player Two cannot lose." : "Not decided in time.";
    return two.leaning ? `${known} ${leaningOf(balance.game, two.leaning)}` : known;
  }
  const name = two.colour ? nameOf(balance.game, two.colour) : null;
  const counts = (wanted) => ["w", "b"].map((colour) => movers[colour])
    .filter((mover) => mover?.value === wanted && mover.plies !== null).map((mover) => mover.plies);
  const soonest = (wanted) => (counts(wanted).length ? ` in ${Math.min(...counts(wanted))}` : "");
  // Player One has the choice and takes the colour that holds out longer.
  const latest = (wanted) => (counts(wanted).length === 2 ? ` in ${Math.max(...counts(wanted))} at the latest` : "");
  switch (two.choice) {
    case "move-first": return name ? `Move first with ${name}: you win${soonest("win")}.` : `Move first: you win${latest("win")}, whichever colour you get.`;
    case "choose-colour": return `Choose ${name ?? "the colour"} and let Player One move first: you win${soonest("loss")}.`;
    case "take-bait": return `Take the bait: you win${latest("loss")}, whichever colour Player One takes.`;
  }
  return "Player Two wins.";
}

/** What looks better to Player Two: an estimate in words. */
function leaningOf(game, { choice, colour, wdl }) {
  const name = colour ? nameOf(game, colour) : null;
  const doing = {
    "move-first": name ? `move first with ${name}` : "move first",
    "choose-colour": `choose ${name ?? "the colour"} and let Player One move first`,
    "take-bait": "take the bait",
  }[choice];
  return `Estimated, not proved: ${doing}, with a chance of ${percent(wdl.win + wdl.draw / 2)}.`;
}

/** Who finds the right choice and wins with it; nothing where nobody was tried. */
function heldBy(rating) {
  if (rating === null || rating === undefined) return null;
  if (rating <= 1) return "Players of every level find the right choice and win with it in at least half of their games.";
  if (rating > 8) return "Players of no level find the right choice and win with it in half of their games.";
  return `A player of level ${rating.toFixed(1)} finds the right choice and wins with it in half of the games.`;
}

/** What tempts and is wrong, and for whom. */
function trapsOf(balance, { keeping_moves: keeping, first_moves: all, greedy_move: greedy, greedy_keeps: keeps, only_move_line: only, rating }) {
  const traps = [];
  if (keeping !== null && keeping < all) traps.push(`Of the ${all} first moves, ${keeping === 1 ? "only one keeps" : `${keeping} keep`} the value.`);
  if (greedy && keeps === false) traps.push(`A trap: the greediest capture, ${greedy}, throws it away.`);
  if (only) traps.push(`The longest line in which only one move holds has ${plies(only)}.`);
  const held = heldBy(rating);
  if (held) traps.push(held);
  return traps;
}
