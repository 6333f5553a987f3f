// The values of moves that an answer leaves open although it knows the position: each is asked for by itself.

import { ask } from "./api.js";
import { mirrored } from "./values.js";

/** Milliseconds for a move, and for all moves of a position. */
const EACH = 2000;
const ALL = 30_000;
const ORDER = { win: 0, draw: 1, unknown: 2, loss: 3 };

/** Tells an answer which moves a balance has found best, where it does not know of them. */
export function tellBest(answer, { value, bounds, best }) {
  for (const move of answer.moves.filter((own) => own.value === "unknown" && best.includes(own.move))) Object.assign(move, { value, bounds });
  answer.moves.sort(betterFirst);
}

/** Looks at the moves that are open, one after the other, and tells `changed` of each that became known. */
export async function settle(answer, agreed, signal, changed) {
  const until = performance.now() + ALL;
  for (const move of answer.moves.filter(({ value }) => value === "unknown")) {
    if (signal.aborted || performance.now() > until) return;
    const found = mirrored(await ask(answer.game, move.position, EACH, signal, { ...agreed, until: "value" }));
    if (found.value === "unknown" && found.bounds.every((bound, at) => bound === move.bounds[at])) continue;
    Object.assign(move, found);
    answer.moves.sort(betterFirst);
    changed();
  }
}

/** Wins by fewest plies, draws, what is not known, losses by most plies. */
function betterFirst(one, other) {
  const kinds = ORDER[one.value] - ORDER[other.value];
  const sooner = (one.plies ?? Infinity) - (other.plies ?? Infinity) || 0;
  return kinds || (one.value === "loss" ? -sooner : one.value === "win" ? sooner : 0);
}
