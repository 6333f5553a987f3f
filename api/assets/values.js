// Names and marks of values: by sign and plies, never by colour alone.

import { gameOf } from "./games.js";

const SIGNS = { win: "+", draw: "=", loss: "−", unknown: "?" };

export const nameOf = (game, letter) => gameOf(game).players[letter] ?? letter;

/** The letters of a game's players, the first to move first. */
export const playersOf = (game) => Object.keys(gameOf(game).players);

export const percent = (chance) => `${(100 * chance).toFixed(1)}\u00a0%`;

/** The same for an answer; in whole per cent if the search was unstable, because the decimals are then noise. */
export const percentOf = (chance, { stability }) => (stability < 0.5 ? `${Math.round(100 * chance)}\u00a0%` : percent(chance));

/** `win`, `draw`, `loss` or `unknown`; for a chance, its `closeness` to the best move, `draw` without one. */
export function kindOf(move) {
  if ("chance" in move) return move.chance === null ? "unknown" : move.kind ?? "draw";
  return move.value;
}

/** The mark of a move: a sign with plies, or a chance. */
export function signOf(move) {
  if ("chance" in move) return move.chance === null ? "?" : `${(100 * move.chance).toFixed(1)}%`;
  if (move.value === "unknown" && move.bounds?.[0] === "draw") return "?≥=";
  if (move.value === "unknown" && move.bounds?.[1] === "draw") return "?≤=";
  return SIGNS[move.value] + (move.plies ?? "");
}

/** The same with an estimate instead of a question mark, if there is one: `60%`. */
export const numberOf = (move) => (move.value === "unknown" && move.estimate !== undefined ? `${Math.round(100 * move.estimate)}%` : signOf(move));

/** A number of plies as text. */
export const plies = (count) => (count === 1 ? "1 ply" : `${count} plies`);

/** A value as text: `wins in 5 plies`. */
export function wordsOf(verdict) {
  if ("chance" in verdict) {
    if (verdict.chance === null) return "chance unknown";
    return `wins with a chance of ${percent(verdict.chance)}${verdict.error === null ? ", estimated" : ""}`;
  }
  const most = verdict.plies_bounds?.[1] ?? null;
  const within = most === null ? "" : ` within ${plies(most)}`;
  const when = verdict.plies === null || verdict.plies === undefined ? within : ` in ${plies(verdict.plies)}`;
  switch (verdict.value) {
    case "win": return `wins${when}`;
    case "loss": return `loses${when}`;
    case "draw": return "draws";
  }
  const [worst, best] = verdict.bounds ?? [];
  const known = worst === "draw" ? "cannot lose" : best === "draw" ? "cannot win" : "not known";
  return verdict.estimate === undefined ? known : `${known}; ${percentOf(verdict.estimate, verdict)} to win, estimated`;
}

const ORDER = { win: 0, draw: 1, unknown: 2, loss: 3 };

/** Copies the best moves of a balance into an answer that does not have their values. */
export function tellBest(answer, { value, bounds, best }) {
  for (const move of answer.moves.filter((own) => own.value === "unknown" && best.includes(own.move))) Object.assign(move, { value, bounds });
  answer.moves.sort(betterFirst);
}

/** Wins by fewest plies, draws, unknown values, losses by most plies. */
function betterFirst(one, other) {
  const kinds = ORDER[one.value] - ORDER[other.value];
  const sooner = (one.plies ?? Infinity) - (other.plies ?? Infinity) || 0;
  return kinds || (one.value === "loss" ? -sooner : one.value === "win" ? sooner : 0);
}

const OTHER = { win: "loss", draw: "draw", loss: "win", unknown: "unknown" };

/** The value of the move that led to an answered position, for the player who made the move. */
export function mirrored({ value, bounds: [worst, best], plies: after, wdl, source }) {
  const turned = wdl && { win: wdl.loss, draw: wdl.draw, loss: wdl.win };
  const seen = turned ? { wdl: turned, source, estimate: turned.win + turned.draw / 2 } : {};
  return { value: OTHER[value], bounds: [OTHER[best], OTHER[worst]], plies: after === null ? null : after + 1, ...seen };
}

/** The chances of the player to move, if known: `{ win, draw, loss, source }`. */
export function chancesOf(answer) {
  if (!("chance" in answer)) return answer.wdl ? { ...answer.wdl, source: answer.source } : null;
  if (answer.chance === null) return null;
  return { win: answer.chance, draw: 0, loss: 1 - answer.chance, source: answer.error === null ? "estimate" : "exact" };
}

export const ENDS = {
  unified: "a side is in one group",
  stuck: "the player to move cannot move",
  target: "a store has reached the target",
  "borne-off": "all pieces are borne off",
  line: "a line is complete",
};

const STOPS = {
  time: "Time was up before an answer was found; allow more time.",
  nodes: "The node limit was reached before an answer was found; allow more nodes.",
  memory: "The memory was too small for a proof; the service needs more.",
  stopped: "Stopped before an answer was found.",
};

/** The limit that stopped the search, and the unproved belief of the search; empty if there is an answer. */
export function endOf({ ended, game, unproved }) {
  const stop = STOPS[ended] ?? "";
  if (!unproved) return stop;
  const believed = unproved.winner ? `that ${nameOf(game, unproved.winner)} wins` : "that one of the players cannot win";
  return `${stop} Believed by the search, not proved: ${believed}.`.trim();
}

/** The proved winner: `Solved: White wins.`; empty if there is no proof. */
export function solvedOf({ game, turn, value, over }) {
  if (over || !["win", "draw", "loss"].includes(value)) return "";
  if (value === "draw") return "Solved: a draw.";
  const winner = playersOf(game).find((letter) => (letter === turn) === (value === "win"));
  return `Solved: ${nameOf(game, winner)} wins.`;
}

const SOURCES = {
  rules: "The rules end the game here.",
  table: "An endgame table, computed by retrograde analysis, has the value of every position with these pieces.",
  search: "A search examined every line that matters.",
  book: "A known result, built into Marquis.",
  proof: "A proof that comes with Marquis contains the position; such proofs are replayed by the rules alone.",
};

/** How the value is known, in sentences. */
export function howKnown({ proof, book }) {
  const again = book ? ` To reproduce it: ${book.command}.` : "";
  return `${SOURCES[proof] ?? ""}${again}`;
}

/** The player to move, without values: `White to move`. */
export const toMove = (answer) => `${nameOf(answer.game, answer.turn)} to ${"chance" in answer ? "throw" : "move"}`;

/** The winner and the reason, or the knowledge about the position. */
export function headline(answer) {
  const mover = nameOf(answer.game, answer.turn);
  if (!answer.over) return `${toMove(answer)}: ${wordsOf(answer)}`;
  const rival = playersOf(answer.game).find((letter) => letter !== answer.turn);
  const won = "chance" in answer ? answer.chance > 0.5 : answer.value === "win";
  const why = ENDS[answer.over] ?? answer.over;
  if (answer.value === "draw") return `A draw: ${why}.`;
  return `${won ? mover : nameOf(answer.game, rival)} has won: ${why}.`;
}
