// Overlays of the board: marks on cells, and the recommended move.

import { targetOf } from "./layouts.js";
import { readMove } from "./texts.js";
import { chancesOf, kindOf, numberOf, signOf, wordsOf } from "./values.js";

/** The best move, if it is known and no piece is selected. */
export function adviceOf(play, shown) {
  const hint = play.hinted.stage === "move" ? play.hinted.move : null;
  const best = hint ? play.moves.find(({ move }) => move === hint) : shown ? play.moves[0] : null;
  const chances = best && chancesOf(best);
  const path = best && !play.from && (hint || chances) && readMove(best.move);
  if (!path) return null;
  return { from: path.from, to: targetOf(play.game, path, play.answer.turn), source: chances?.source ?? "estimate" };
}

/** The marks of the cells, by id: last move, movable pieces, targets of the selected piece. */
export function marksOf(play, shown) {
  const marks = {};
  const mark = (id, more) => Object.assign((marks[id] ??= {}), more);
  const last = play.ply ? readMove(play.line[play.ply - 1].move) : null;
  if (last) for (const id of [last.from, last.to]) mark(id, { last: true });
  for (const move of [...play.moves].reverse()) {
    const path = readMove(move.move);
    if (!path) continue;
    // The best move is processed last, so its mark stays.
    mark(path.from, { mine: true, ring: shown ? kindOf(move) : "unknown", words: shown ? `can move, at best ${wordsOf(move)}` : "can move" });
    const known = shown && !play.from && kindOf(move) !== "unknown";
    mark(path.from, { badge: known ? { kind: kindOf(move), sign: signOf(move) } : null });
  }
  if (play.hinted.stage) mark(readMove(play.hinted.move)?.from, { chosen: true });
  if (!play.from) return marks;
  for (const other of Object.values(marks)) delete other.ring;
  mark(play.from, { from: true, words: "taken" });
  for (const { to, move } of play.movesFrom(play.from)) {
    const badge = shown ? { kind: kindOf(move), sign: numberOf(move) } : { kind: "unknown", sign: "" };
    mark(to, { target: true, badge, words: shown ? `move here ${wordsOf(move)}` : "move here" });
  }
  return marks;
}
