// Boards edited by hand, as rows of tokens: "" an empty cell, "w" a piece, "r3" a stack. One kind per
// layout. The service decides whether a board is a valid position.

import { gameOf } from "./games.js";
import { readHexagon, readStacks, readTrack, writeRows, writeStacks } from "./texts.js";

const A = "a".charCodeAt(0);
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const empty = (rows, width) => Array.from({ length: rows }, (_, row) => Array(width(row)).fill(""));
const exchanged = (rows, [one, other]) => rows.map((row) => row.map((token) =>
  token[0] === one ? other + token.slice(1) : token[0] === other ? one + token.slice(1) : token));
/** Rows of another size; cells that still exist keep their content. */
const fitted = (rows, files, ranks) => {
  const old = [...rows].reverse();
  return empty(ranks, () => files).map((row, up) => row.map((_, across) => old[up]?.[across] ?? "")).reverse();
};

const hexagons = {
  letters: /[^wbo\d/]/u,
  named: "w, b, o, numbers and /",
  wrong: "Expected the rows of a hexagon of side 2 to 5.",
  read: (text) => readHexagon(text).rows,
  write: writeRows,
  fits: (rows) => {
    const side = (rows.length + 1) / 2;
    return [2, 3, 4, 5].includes(side) && rows.every((row, at) => row.length === rows.length - Math.abs(at - side + 1));
  },
  place: (rows, id) => [rows.length - 1 - (id.charCodeAt(0) - A), +id.slice(1) - 1],
  sizes: [["Side", range(2, 5)]],
  size: (rows) => [(rows.length + 1) / 2],
  resized: (_, [side]) => empty(2 * side - 1, (row) => 2 * side - 1 - Math.abs(row - side + 1)),
  /** Rotates the board by 180°. */
  turned: (rows) => [...rows].reverse().map((row) => [...row].reverse()),
};

const stacks = {
  letters: /[^rw\d/,]/u,
  named: "r, w, numbers, commas and /",
  wrong: "Expected 2 to 8 files and 1 to 8 ranks.",
  stacked: true,
  read: (text) => readStacks(text).rows.map((row) => row.map((stack) => (stack ? stack.colour + stack.height : ""))),
  write: writeStacks,
  fits: (rows) => rows.length <= 8 && rows.every((row) => row.length === rows[0].length && row.length >= 2 && row.length <= 8),
  place: (rows, id) => [rows.length - +id.slice(1), id.charCodeAt(0) - A],
  sizes: [["Files", range(2, 8)], ["Ranks", range(1, 8)]],
  size: (rows) => [rows[0].length, rows.length],
  resized: (rows, [files, ranks]) => fitted(rows, files, ranks),
  turned: (rows) => [...rows].reverse(),
};

const track = {
  letters: /[^wb\d/]/u,
  named: "w, b, numbers and /",
  wrong: "Expected three rows of ten squares.",
  read: (text) => {
    const { squares } = readTrack(text);
    return [0, 10, 20].map((from) => squares.slice(from, from + 10)).concat(squares.length > 30 ? [squares.slice(30)] : []);
  },
  write: writeRows,
  fits: (rows) => rows.length === 3 && rows.every((row) => row.length === 10),
  place: (_, id) => (id === "off" ? null : [Math.floor((+id - 1) / 10), (+id - 1) % 10]),
  sizes: [],
  size: () => [],
  resized: () => empty(3, () => 10),
  turned: (rows) => rows,
};

const KINDS = { hexagons, stacks, track };
const MOST_HIGH = 24;

/** A board being edited. */
export class Grid {
  constructor(game) {
    this.game = game;
    this.kind = KINDS[gameOf(game).layout];
    this.rows = this.kind.resized([[]], this.kind.sizes.map(([, sizes]) => sizes[1]));
  }

  /** Reads a board from text. Returns an error message if it is invalid, and leaves the board unchanged. */
  read(text) {
    const board = text.trim().split(/[\s_]+/)[0];
    const { letters, named, wrong, read, fits } = this.kind;
    const [stray] = letters.exec(board) ?? [];
    if (stray) return `A board text has ${named}; found ${stray}.`;
    const rows = read(board);
    if (!fits(rows)) return wrong;
    this.rows = rows;
    return null;
  }

  get text() {
    return this.kind.write(this.rows);
  }

  /** The token on a cell; nothing off the board. */
  at(id) {
    const [row, column] = this.kind.place(this.rows, id) ?? [];
    return this.rows[row]?.[column];
  }

  put(id, token) {
    const [row, column] = this.kind.place(this.rows, id) ?? [];
    if (this.rows[row]?.[column] !== undefined) this.rows[row][column] = token;
  }

  /** Places a piece, onto a stack of its colour if the game has stacks. */
  add(id, letter, count = 1) {
    const here = this.at(id);
    const more = this.kind.stacked && letter;
    this.put(id, more ? letter + Math.min((here?.[0] === letter ? +here.slice(1) : 0) + count, MOST_HIGH) : letter);
  }

  /** Moves the content of a cell to another cell. */
  move(from, to) {
    const token = this.at(from);
    if (!token || from === to || this.at(to) === undefined) return;
    this.put(from, "");
    this.add(to, token[0], +token.slice(1) || 1);
  }

  resize(sizes) {
    this.rows = this.kind.resized(this.rows, sizes);
  }

  clear() {
    this.rows = this.rows.map((row) => row.map(() => ""));
  }

  /** The board as seen by the other player. */
  mirror() {
    this.rows = exchanged(this.kind.turned(this.rows), Object.keys(gameOf(this.game).players));
  }

  /** The number of pieces of a letter; a stack counts each of its checkers. */
  count(letter) {
    return this.rows.flat().reduce((sum, token) => sum + (token[0] === letter ? +token.slice(1) || 1 : 0), 0);
  }
}
