// A small, static drawing of a set-up.

import { drawnPiece, ground, svg } from "./board.js";
import { layoutOf } from "./layouts.js";
import { readHexagon } from "./texts.js";

/** The board of a set-up as one picture, with a text for screen readers. */
export function miniature(game, board) {
  const { cells, width, height } = layoutOf(game, board);
  const drawn = cells.map(({ x, y, shape, piece }) => {
    const cell = svg("g", { class: "cell", transform: `translate(${x} ${y})` }, ground(shape));
    if (piece) cell.append(drawnPiece(piece));
    return cell;
  });
  const count = (letter) => readHexagon(board).rows.flat().filter((piece) => piece === letter).length;
  const words = `White rooks on ${placed(cells, "w")}; Black rooks on ${placed(cells, "b")}; ${count("o")} beads`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "miniature", role: "img", "aria-label": words }, ...drawn);
}

const placed = (cells, kind) => cells.filter(({ piece }) => piece?.kind === kind).map(({ id }) => id).join(", ");
