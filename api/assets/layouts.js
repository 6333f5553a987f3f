// The coordinates of cells and pieces: one layout per kind of board, computed from a position text.
//
// A layout is { cells, width, height, paths }; a cell is
// { id, x, y, name, piece, shape, label, special, mark }; x and y are its centre, in units of a piece.

import { gameOf } from "./games.js";
import { playersOf, nameOf } from "./values.js";
import { readHexagon, readStacks, readTrack } from "./texts.js";

const ROOT3 = Math.sqrt(3);
const letter = (number) => String.fromCharCode(97 + number);
/** Names of pieces by letter; `style.css` has their colours. */
const PIECES = { w: "White piece", b: "Black piece", r: "Red piece", o: "bead" };

/** Hexagons with the point up, rows from the top; pieces are drawn as rooks if the game has rooks. */
export function hexagonal(game, text) {
  const { rows } = readHexagon(text);
  const most = Math.max(...rows.map((row) => row.length));
  const { rooks } = gameOf(game);
  const cells = rows.flatMap((row, down) =>
    row.map((piece, across) => ({
      id: `${letter(rows.length - 1 - down)}${across + 1}`,
      x: 1 + ROOT3 * (across + (most - row.length) / 2),
      y: 1.05 + 1.5 * down,
      piece: piece ? { kind: piece, rook: rooks && piece !== "o", small: piece === "o" } : null,
      name: rooks && piece !== "o" ? PIECES[piece]?.replace("piece", "rook") : PIECES[piece],
      shape: { hexagon: 1 },
    })));
  return { cells, width: ROOT3 * (most - 1) + 2, height: 1.5 * (rows.length - 1) + 2.1, paths: [] };
}

/** Squares with stacks; behind each far edge a row of cells to bear off to. */
export function squares(game, text) {
  const { rows } = readStacks(text);
  const files = Math.max(...rows.map((row) => row.length));
  const square = { square: 1.6 };
  const cells = rows.flatMap((row, down) =>
    row.map((stack, across) => ({
      id: `${letter(across)}${rows.length - down}`,
      x: 1 + 1.6 * across,
      y: 2.2 + 1.6 * down,
      piece: stack ? { kind: stack.colour, count: stack.height } : null,
      name: stack ? `${stack.height > 1 ? `${stack.height} ` : ""}${nameOf(game, stack.colour)} ${stack.height > 1 ? "checkers" : "checker"}` : null,
      shape: square,
    })));
  const offs = [...Array(files).keys()].flatMap((across) => [
    { id: `off-r-${letter(across)}`, x: 1 + 1.6 * across, y: .75, name: "off the board", shape: { wide: 1.6, high: 1.1 }, off: true },
    { id: `off-w-${letter(across)}`, x: 1 + 1.6 * across, y: 2.05 + 1.6 * rows.length, name: "off the board", shape: { wide: 1.6, high: 1.1 }, off: true },
  ]);
  return { cells: [...cells, ...offs], width: .4 + 1.6 * files, height: 2.8 + 1.6 * rows.length, paths: [] };
}

const HOUSES = { 15: "◇", 26: "☥", 27: "≈", 28: "|||", 29: "||", 30: "☉" };

/** Matches if the track is drawn upright, so that all of it is visible and large enough to touch. */
export const upright = matchMedia("(max-width: 52rem) and (orientation: portrait)");

/** Three rows of ten, the track turning at the end of each row, and the cell after square 30. */
export function track(game, text) {
  const { squares: pieces } = readTrack(text);
  const tall = upright.matches;
  const turned = ({ x, y }) => (tall ? { x: y, y: x } : { x, y });
  const place = (square) => {
    const row = Math.floor((square - 1) / 10);
    const along = (square - 1) % 10;
    return turned({ x: 1 + 1.6 * (row === 1 ? 9 - along : along), y: 1 + 1.6 * row });
  };
  const cells = pieces.slice(0, 30).map((piece, index) => ({
    id: String(index + 1),
    ...place(index + 1),
    piece: piece ? { kind: piece } : null,
    name: PIECES[piece],
    shape: { square: 1.6 },
    special: index + 1 >= 26,
    mark: HOUSES[index + 1],
  }));
  const off = turned({ x: 1.3, y: 1.6 });
  cells.push({ id: "off", ...turned({ x: 17.1, y: 4.2 }), name: "borne off", shape: { wide: off.x, high: off.y }, off: true });
  const points = [1, 10, 11, 20, 21, 30].map(place);
  const { x: width, y: height } = turned({ x: 18, y: 5.2 });
  return { cells, width, height, paths: [points], tall };
}

const LAYOUTS = { hexagons: hexagonal, stacks: squares, track };

/** The layout of a position of any game. */
export function layoutOf(game, text) {
  return LAYOUTS[gameOf(game).layout](game, text);
}

/** The cell on which a move's target is drawn. */
export function targetOf(game, move, turn) {
  if (move.to !== "off") return move.to;
  return gameOf(game).layout === "stacks" ? `off-${turn}-${move.from[0]}` : "off";
}

/** The edge cells of a hexagonal board, by id. */
export function edgeOf(layout, rowCount) {
  const rows = Map.groupBy ? Map.groupBy(layout.cells, (cell) => cell.id[0]) : grouped(layout.cells);
  const outer = new Set([letter(0), letter(rowCount - 1)]);
  const ids = [...rows].flatMap(([row, cells]) =>
    cells.filter((cell, at) => outer.has(row) || at === 0 || at === cells.length - 1).map((cell) => cell.id));
  return new Set(ids);
}

function grouped(cells) {
  const rows = new Map();
  for (const cell of cells) rows.set(cell.id[0], [...(rows.get(cell.id[0]) ?? []), cell]);
  return rows;
}

/** The number of a player's pieces on the board; a stack counts each of its checkers. */
export function countOf(layout, colour) {
  return layout.cells.reduce((sum, cell) => sum + (cell.piece?.kind === colour ? cell.piece.count ?? 1 : 0), 0);
}

export { playersOf };
