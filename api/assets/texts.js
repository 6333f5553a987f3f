// Position texts, parsed for drawing only; the service decides legality.

/** A row's letters and gaps as an array of letters and "" for empty. */
const cellsOf = (row) =>
  [...row.matchAll(/\d+|[a-z]/g)].flatMap(([token]) => (/\d/.test(token) ? Array(Math.min(+token, 99)).fill("") : [token]));

const split = (text) => text.trim().replaceAll("_", " ").split(/\s+/);

/** Rows from the top, and the remaining fields. */
export function readHexagon(text) {
  const [rows, ...fields] = split(text);
  return { rows: rows.split("/").map(cellsOf), fields };
}

/** Rows from the top; a stack is `{ colour, height }`, an empty square null. */
export function readStacks(text) {
  const [rows, ...fields] = split(text);
  const stacks = (row) =>
    row.split(",").flatMap((token) =>
      /^\d/.test(token) ? Array(Math.min(+token, 99)).fill(null) : [{ colour: token[0], height: +token.slice(1) || 1 }]);
  return { rows: rows.split("/").map(stacks), fields };
}

/** Thirty squares in track order. */
export function readTrack(text) {
  const [rows, ...fields] = split(text);
  return { squares: rows.split("/").flatMap(cellsOf), fields };
}

/** The board text of rows of letters. */
export function writeRows(rows) {
  const row = (cells) => cells.map((cell) => cell || ".").join("").replace(/\.+/g, (gap) => String(gap.length));
  return rows.map(row).join("/");
}

/** The board text of rows of stacks such as "r3". */
export function writeStacks(rows) {
  const row = (cells) => cells.reduce((tokens, cell) => {
    const last = tokens.at(-1);
    if (cell) return [...tokens, cell];
    return typeof last === "number" ? [...tokens.slice(0, -1), last + 1] : [...tokens, 1];
  }, []).join(",");
  return rows.map(row).join("/");
}

/** From, to and whether it captures; null for a pass. A placement would have the same cell as `from` and `to`. */
export function readMove(text) {
  const [, from, sign, to] = /^([a-z]?\d+)([-x])([a-z]?\d+|off)/.exec(text) ?? [];
  return from ? { from, to, captures: sign === "x" } : null;
}
