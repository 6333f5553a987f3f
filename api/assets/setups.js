// Set-ups of rooks and beads: legality checks and random set-ups. The service has the last word.

import { gameOf } from "./games.js";
import { edgeOf } from "./layouts.js";

const MOST_ROOKS = 3;
const MOST_BAIT = 999;

/** The usual boards of a game, for a list to choose from. */
export const presetsOf = (game) =>
  [["Preset …", ""], ...(gameOf(game).setUps ?? [])].map(([name, position]) => new Option(name, position.split(" ")[0]));

/** The reasons why a set-up is illegal, as messages and by cell. */
export function faultsOf(grid, layout, { bait = 0, target = 1, stores = [0, 0] }) {
  const words = [];
  const edge = edgeOf(layout, grid.rows.length);
  const rookInside = layout.cells.filter((cell) => cell.piece?.rook && !edge.has(cell.id));
  const beadOnEdge = layout.cells.filter((cell) => cell.piece?.small && edge.has(cell.id));
  for (const [piece, name] of [["w", "White"], ["b", "Black"]]) {
    const count = grid.count(piece);
    if (count < 1 || count > MOST_ROOKS) words.push(`${name} has ${count} rooks; 1 to ${MOST_ROOKS} are allowed.`);
  }
  const beads = bait + grid.count("o");
  if (bait > MOST_BAIT) words.push(`The bait has ${bait} beads; at most ${MOST_BAIT} are allowed.`);
  else if (!(target >= 1 && target <= Math.max(beads, 1))) words.push(`${target} beads to win: 1 to ${beads} are allowed.`);
  if (stores.some((store) => store)) words.push("A set-up starts without captured beads.");
  if (rookInside.length) words.push(`Rooks stand on the edge only: ${rookInside.map((cell) => cell.id).join(", ")}.`);
  if (beadOnEdge.length) words.push(`Beads lie inside only: ${beadOnEdge.map((cell) => cell.id).join(", ")}.`);
  return { words, cells: [...rookInside, ...beadOnEdge].map((cell) => cell.id) };
}

/** The current number of rooks and beads, or a usual one, on random legal cells. */
export function shuffle(grid, layout) {
  const edge = edgeOf(layout, grid.rows.length);
  const side = (grid.rows.length + 1) / 2;
  const rooks = Math.min(MOST_ROOKS, Math.max(grid.count("w"), grid.count("b")) || Math.min(3, side - 1));
  const inner = layout.cells.filter((cell) => !edge.has(cell.id));
  const beads = Math.min(grid.count("o") || Math.ceil(inner.length / 2), inner.length);
  const outer = shuffled(layout.cells.filter((cell) => edge.has(cell.id)));
  grid.clear();
  outer.slice(0, rooks).forEach((cell) => grid.put(cell.id, "w"));
  outer.slice(rooks, 2 * rooks).forEach((cell) => grid.put(cell.id, "b"));
  shuffled(inner).slice(0, beads).forEach((cell) => grid.put(cell.id, "o"));
}

function shuffled(list) {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}
