// The value of the game over time, for the player who moves first.

import { svg } from "./board.js";
import { nameOf, playersOf } from "./values.js";

const WIDTH = 300;
const HEIGHT = 72;

export class Chart {
  constructor(place) {
    this.place = place;
  }

  /** From -1, lost for the first player, to 1, won; a chance or an estimate lies between. */
  show(game, line) {
    const [first] = playersOf(game);
    const points = line.map((ply, at) => ({ at, kind: ply.kind, sign: ply.sign, height: heightOf(ply) * (ply.by === first ? 1 : -1) }));
    this.place.toggleAttribute("hidden", points.length < 2);
    if (points.length < 2) return;
    const x = (at) => 44 + (at * (WIDTH - 56)) / Math.max(points.length - 1, 1);
    const y = (height) => HEIGHT / 2 - (height * HEIGHT) / 2.7;
    const label = (text, height) => {
      const element = svg("text", { x: 0, y: y(height) + 3 });
      element.textContent = text;
      return element;
    };
    this.place.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.place.setAttribute("role", "img");
    this.place.setAttribute("aria-label", `Value after each move: ${line.map((ply) => `${ply.move} ${ply.sign}`).join(", ")}`);
    this.place.replaceChildren(
      ...[1, 0, -1].map((height) => svg("line", { x1: 40, x2: WIDTH, y1: y(height), y2: y(height) })),
      label(nameOf(game, first), 1), label("even", 0), label(nameOf(game, playersOf(game)[1]), -1),
      svg("polyline", { points: points.map(({ at, height }) => `${x(at)},${y(height)}`).join(" ") }),
      ...points.map(({ at, height, kind }) => svg("circle", { class: `dot ${kind}`, cx: x(at), cy: y(height), r: 3 })));
  }
}

function heightOf({ value, chance, estimate }) {
  if (chance !== undefined) return chance === null ? 0 : 2 * chance - 1;
  return { win: 1, draw: 0, loss: -1 }[value] ?? (estimate === undefined ? 0 : 2 * estimate - 1);
}
