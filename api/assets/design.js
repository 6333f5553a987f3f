// A job that searches for set-ups that are hard for Player Two; each find can be opened.

import { cancelJob, design, follow } from "./api.js";
import { byId, element, trouble } from "./dom.js";
import { setUpCard } from "./setupcard.js";
import { presetsOf } from "./setups.js";
import { lengthOf } from "./verdict.js";

/** Milliseconds that the request may wait; after that finds are shown as they arrive. */
const AT_ONCE = 300;
const NUMBERS = ["side", "rooks", "beads", "tries", "keep", "seed"];
/** Fields of the form that may be empty, and their names in the request. */
const OPTIONAL = { "max-rooks": "max_rooks", "max-beads": "max_beads", change: "change", "harder-than": "harder_than", "easier-than": "easier_than" };
/** The levels that bound a difficulty. */
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];

export class Designing {
  /** * `ways`: `play(position)` plays out a find, `open(board)` opens it in the laboratory. */
  constructor(ways) {
    this.ways = ways;
    byId("design-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    byId("design-preset").addEventListener("change", () => this.size(byId("design-preset").value));
    for (const id of ["design-harder-than", "design-easier-than"]) byId(id).append(...LEVELS.map((level) => new Option(level, level)));
    byId("design-cancel").addEventListener("click", () => this.job && cancelJob(this.job).catch(trouble));
  }

  /** * `setup`: a board to start from. */
  show(game, setup) {
    if (setup) {
      this.size(setup);
      byId("design-from").value = setup;
    }
    if (this.game === game) return;
    this.reset();
    byId("finds").replaceChildren();
    byId("design-preset").replaceChildren(...presetsOf(game));
    this.game = game;
  }

  /** Takes the size and the numbers of pieces from a board. */
  size(board) {
    const count = (letter) => board.split(letter).length - 1;
    byId("design-side").value = (count("/") + 2) / 2;
    byId("design-rooks").value = Math.max(count("w"), count("b"));
    byId("design-beads").value = count("o");
    for (const id of ["preset", "from", "max-rooks", "max-beads", "change"]) byId(`design-${id}`).value = "";
  }

  /** The request of the form. */
  get wanted() {
    const number = (name) => Number(byId(`design-${name}`).value);
    const wanted = Object.fromEntries(NUMBERS.map((name) => [name, Math.trunc(number(name))]));
    const from = byId("design-from").value.trim();
    if (from) wanted.from = from;
    for (const [id, name] of Object.entries(OPTIONAL)) if (byId(`design-${id}`).value !== "") wanted[name] = Math.trunc(number(id));
    return { ...wanted, layout: byId("design-layout").value, pie: byId("design-pie").value, set_up_ms: Math.round(1000 * number("seconds")) };
  }

  async start() {
    this.reset();
    trouble(null);
    const { game } = this;
    const turn = (this.turn = {});
    const { tries } = this.wanted;
    byId("finds").replaceChildren();
    byId("design-begin").disabled = true;
    byId("design-progress").textContent = "Looking …";
    const finds = [];
    try {
      const { designs, job } = await design(game, this.wanted, AT_ONCE);
      if (this.turn !== turn) return;
      if (designs) return this.ended({ state: "done", design: designs });
      this.job = job;
      byId("design-cancel").hidden = false;
      this.stop = follow(job.id, ({ state, nodes, seconds, ahead }) => {
        byId("design-progress").textContent = state === "queued" ? `Waiting: ${ahead ?? 0} before this one …`
          : `${nodes} of ${tries} set-ups tried, ${finds.length} proved, ${lengthOf(seconds)}${left(nodes, tries, seconds)}`;
      }, (end) => this.ended(end), (error) => this.failed(error), {
        find: (own) => {
          finds.push(own);
          this.draw(game, [...finds].sort((one, other) => other.score - one.score));
        },
      });
    } catch (error) {
      if (this.turn === turn) this.failed(error);
    }
  }

  reset() {
    this.stop?.();
    this.stop = this.job = this.turn = null;
    byId("design-begin").disabled = false;
    byId("design-cancel").hidden = true;
    byId("design-progress").textContent = "";
  }

  failed(error) {
    this.reset();
    trouble(error);
  }

  ended({ state, design: found, problem }) {
    const { game } = this;
    this.reset();
    if (problem) return trouble(new Error(problem.detail));
    const { designs = [], tried = 0 } = found ?? {};
    this.draw(game, designs);
    const what = designs.length ? `the hardest ${designs.length === 1 ? "one" : designs.length} of those that were proved` : "none of this kind was proved in time; try fewer beads, more seconds or another difficulty";
    byId("design-progress").textContent = `${state === "cancelled" ? "Cancelled. " : ""}${tried} set-ups tried: ${what}.`;
  }

  draw(game, finds) {
    byId("finds").replaceChildren(...finds.map(({ number, board, balance, proof }) =>
      setUpCard(`Try ${number}`, { game, board, rating: balance.difficulty.rating, proof }, this.ways)));
  }
}

/** A rough estimate of the remaining time, once some set-ups are tried. */
function left(tried, tries, seconds) {
  return tried > 1 ? `; about ${lengthOf(Math.round(((tries - tried) * seconds) / tried))} to go` : "";
}
