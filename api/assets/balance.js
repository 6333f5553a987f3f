// Balancing a set-up: the request, its progress, and the result under both pies.

import { balance, cancelJob, follow, jobOf } from "./api.js";
import { byId, element, trouble } from "./dom.js";
import { Lanes } from "./lanes.js";
import { depthOf, recalled, remember } from "./recalled.js";
import { Traps } from "./traps.js";
import { endOf } from "./values.js";
import { heldBy, lengthOf, meter, narrownessOf, pieOf, sizeOf, verdictOf } from "./verdict.js";

/** Milliseconds that the request may wait; after that the progress is shown. */
const AT_ONCE = 300;
/** The same for the other pie, which is quick because the values are known by then. */
const OTHER_PIE = 3000;

export class Balancing {
  /**
   * * `open(position)`: plays out a position.
   * * `show(traps)`: draws these moves on the board of the set-up.
   */
  constructor(open, show) {
    this.lanes = new Lanes(open);
    this.traps = new Traps(open, show);
    byId("cancel").addEventListener("click", () => this.job && cancelJob(this.job).catch(trouble));
  }

  /**
   * Shows what this browser or the service knows about a set-up, without a job. Returns whether more time would add
   * nothing.
   */
  async recall(game, setup) {
    this.reset();
    const turn = (this.turn = { game, setup });
    const here = recalled(game, setup);
    if (depthOf(here)) this.draw(here, turn);
    if (depthOf(here) === 3) return true;
    const { balance: there } = await balance(game, setup, AT_ONCE, { limit_ms: 0 }).catch(() => ({}));
    if (this.turn !== turn) return true;
    // A result with nodes is that of a job, which may have a proof.
    if (depthOf(there) > depthOf(here)) this.draw(there, turn, { hasJob: there.difficulty.nodes > 0 });
    remember(game, setup, there);
    return depthOf(there) === 3;
  }

  async start(game, setup) {
    const { latest } = this;
    this.reset();
    const turn = (this.turn = { game, setup });
    // The known verdict stays while its difficulty is looked for.
    if (latest && JSON.stringify(latest.turn) === JSON.stringify(turn)) this.draw(latest.result, turn);
    this.terms = { limit_ms: Number(byId("time-limit").value), go_on: byId("go-on").checked };
    byId("progress").textContent = "Balancing …";
    byId("balance").disabled = true;
    try {
      const { balance: result, job } = await balance(game, setup, AT_ONCE, this.terms);
      if (this.turn !== turn) return;
      if (result) return this.show(result);
      this.job = job;
      byId("cancel").hidden = false;
      if (!this.latest) this.lanes.look(game, setup);
      this.stop = follow(job.id, (progress) => this.progress(progress), (end) => this.ended(end), (error) => this.failed(error));
    } catch (error) {
      if (this.turn === turn) this.failed(error);
    }
  }

  /** Clears the display; the job continues in the service. */
  reset() {
    this.stop?.();
    this.stop = this.job = this.turn = this.latest = null;
    byId("cancel").hidden = true;
    byId("progress").textContent = "";
    byId("result").replaceChildren();
    this.lanes.clear();
    this.traps.clear();
    trouble(null);
  }

  progress({ state, phase, nodes, seconds, bounds, ahead, first_mover: movers }) {
    const range = bounds?.[0] === bounds?.[1] && bounds ? `; Player Two: ${bounds[0]}` : "";
    const waiting = ahead ? `Waiting: ${ahead} before this one` : "Waiting for a thread";
    const time = ` of at most ${lengthOf(this.terms.limit_ms / 1000)}`;
    byId("progress").textContent = state === "queued" ? `${waiting} …`
      : `${phase ?? "searching"}: ${nodes.toLocaleString("en")} nodes, ${lengthOf(seconds)}${time}${range}${ahead ? `; its next turn comes after ${ahead} others` : ""}`;
    if (movers && !this.latest) this.lanes.told(movers);
  }

  ended({ state, result, problem }) {
    if (state === "done") return this.show(result);
    if (state === "cancelled" && result) {
      this.show(result);
      byId("progress").textContent = "Cancelled. Results so far:";
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

  /** The level of the set-up shown, if it is known. */
  get rating() {
    return this.latest?.result.difficulty.rating;
  }

  done() {
    this.stop?.();
    this.stop = this.job = null;
    byId("cancel").hidden = true;
    byId("balance").disabled = false;
  }

  show(result) {
    const wasQuick = !this.job;
    this.done();
    const { turn } = this;
    remember(turn.game, turn.setup, result);
    byId("progress").textContent = "";
    this.draw(result, turn, { isQuick: wasQuick, hasJob: true });
  }

  /** * `isQuick`: whether the other pie is balanced at once as well; `hasJob`: whether the service has its job. */
  draw(result, turn, { isQuick = false, hasJob = false } = {}) {
    this.latest = { result, turn };
    const { first_mover: movers, difficulty, game } = result;
    const unproved = movers.w?.unproved ?? movers.b?.unproved;
    const stop = endOf({ ended: result.ended, game, unproved });
    const other = element("section", { className: "result other", "aria-live": "polite" });
    const proof = element("p", { className: "proof" });
    byId("result").replaceChildren(
      element("div", { className: "pies" },
        element("section", { className: "result" },
          element("p", { className: "pie", textContent: pieOf(result) }),
          element("h3", { textContent: verdictOf(result) }),
          stop ? element("p", { className: "ended", textContent: stop }) : null),
        other),
      this.lanes.list(result),
      element("div", { className: "findings" }, ...findingsOf(difficulty), this.traps.place, proof,
        element("p", { className: "help", textContent: `${difficulty.nodes ? `${difficulty.nodes.toLocaleString("en")} nodes; ` : ""}${result.target} beads win.` })));
    this.offerOther(other, result, isQuick && result.balanced !== null, turn);
    if (hasJob) this.offerProof(proof, result, turn);
    if (result.balanced !== null) this.traps.look(result);
  }

  /** The other pie next to the first: at once if it follows or is quick, otherwise on demand. */
  offerOther(place, result, isQuick, turn) {
    const { bait, ...rest } = turn.setup;
    const isBait = result.pie === "bait";
    const setup = isBait ? { ...rest, pie: "marquisian" } : { ...rest, pie: "bait", bait: bait ?? 0 };
    const title = element("p", { className: "pie", textContent: pieOf(setup) });
    const follows = result.other_pie;
    if (follows?.player_two.choice || follows?.balanced) {
      place.replaceChildren(title, element("h3", { textContent: verdictOf({ ...result, ...follows }) }));
      return;
    }
    const weigh = async () => {
      place.replaceChildren(title, element("p", { textContent: "Balancing …" }));
      try {
        const { balance: found, job } = await balance(turn.game, setup, OTHER_PIE, this.terms);
        if (this.turn !== turn) return;
        if (found) return place.replaceChildren(title, element("h3", { textContent: verdictOf(found) }));
        const said = element("p", { textContent: "Balancing …" });
        const cancel = element("button", { type: "button", textContent: "Cancel", onclick: () => cancelJob(job).catch(trouble) });
        place.replaceChildren(title, said, cancel);
        this.stop = follow(job.id, ({ nodes, seconds }) => {
          said.textContent = `Balancing: ${nodes.toLocaleString("en")} nodes, ${lengthOf(seconds)}`;
        }, (end) => place.replaceChildren(title, element("h3", { textContent: end.result ? verdictOf(end.result) : "Not decided." })), trouble);
      } catch (error) {
        place.replaceChildren(title, element("p", { className: "ended", textContent: error.message }));
      }
    };
    place.replaceChildren(title, element("button", { type: "button", textContent: "Balance this pie too", onclick: weigh }));
    if (isQuick) weigh();
  }

  /** A link to the file that proves the verdict, if there is one. */
  async offerProof(place, result, turn) {
    try {
      const { proof } = await jobOf(result);
      if (this.turn !== turn || !proof) return;
      place.replaceChildren(element("a", { href: proof.href, download: "", textContent: "Download the proof" }),
        ` (${sizeOf(proof.bytes)}), which marquis check-proof replays.`);
    } catch {
      // The file is deleted with its job.
    }
  }
}

/** Difficulty and narrowness, as elements. */
function findingsOf(difficulty) {
  const said = narrownessOf(difficulty);
  const held = heldBy(difficulty.rating);
  return [
    held ? element("div", { className: "difficulty" }, meter(difficulty.rating), element("p", { textContent: held })) : null,
    said.length ? element("p", { textContent: said.join(" ") }) : null,
  ].filter(Boolean);
}
