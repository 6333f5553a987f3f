// Records of games: formats a line of moves, and reads the moves of a text. The service validates records.

/** A move with its throw: `4:24-28`. */
export const wordOf = ({ move, throw: score }) => (score ? `${score}:${move}` : move);

/** Numbered moves with their variations; `first` is the ply of the first one, from 0. */
function movesOf(line, variations, first) {
  const words = [];
  let apart = true;
  line.forEach((entry, index) => {
    const ply = first + index;
    const number = ply % 2 === 0 ? `${ply / 2 + 1}. ` : apart ? `${(ply - 1) / 2 + 1}... ` : "";
    words.push(number + wordOf(entry));
    const own = variations.filter(({ at }) => at === ply);
    if (entry.comment) words.push(`{${entry.comment}}`);
    words.push(...own.map((one) => `(${movesOf(one.line, one.variations, one.at)})`));
    apart = own.length > 0 || Boolean(entry.comment);
  });
  return words.join(" ");
}

/** The record of a game; `headers` are those other than game and position. */
export function textOf({ game, begun, line, variations, headers = [] }) {
  const quoted = (text) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  const said = [["Game", game], ["Position", begun], ...headers].map(([name, value]) => `[${name} "${quoted(value)}"]\n`);
  // A result in the headers is repeated after the last move.
  const result = headers.find(([name]) => name === "Result")?.[1];
  return `${said.join("")}\n${[movesOf(line, variations, 0), result].filter(Boolean).join(" ")}\n`;
}

/** The name of the game in the headers of a text, if given. */
export const gameIn = (text) => /^\s*\[\s*Game\s+"([a-z]+)"\s*\]/m.exec(text)?.[1];

/** Converts moves of the service to a line. */
function lineOf(moves, before) {
  return moves.map(({ move, throw: score = null, turn, position, comment }) => {
    const entry = { move, throw: score, by: turn, before, after: position, kind: "unknown", sign: "", comment };
    before = position;
    return entry;
  });
}

/** The content of a record read by the service: headers, start, line, and the variations of each line. */
export function gameOfRecord({ headers, position, moves, variations, result }) {
  const main = lineOf(moves, position);
  const lines = [{ line: main, variations: [], at: 0 }];
  for (const { of, moves: own } of variations) {
    const at = own[0].ply - 1;
    const parent = lines[of];
    const before = at > parent.at ? parent.line[at - parent.at - 1].after : parent.line[0].before;
    const line = { at, line: lineOf(own, before), variations: [] };
    parent.variations.push(line);
    lines.push(line);
  }
  const others = headers.filter(({ name }) => name !== "Game" && name !== "Position");
  const said = others.map(({ name, value }) => [name, value]);
  if (result && result !== "*") said.push(["Result", result]);
  return { headers: said, begun: position, line: main, variations: lines[0].variations };
}

/** The text of a file, in any encoding used for records. */
export async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = (bytes[0] << 8) | bytes[1];
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
