// The review of a game: the chances over time, marks at moves, and the better lines.

import { cancelJob, follow, reviewRecord } from "./api.js";
import { svg } from "./board.js";
import { button, byId, element, refill, trouble } from "./dom.js";
import { drawHistory } from "./sheet.js";
import { Training } from "./training.js";
import { nameOf, percent, playersOf } from "./values.js";

/** Milliseconds that the request may wait; after that moves are shown as they arrive. */
const AT_ONCE = 200;
/** Milliseconds between two drawings of a running review. */
const BETWEEN_DRAWINGS = 200;
/** The number of moves shown first in a review with more marks. */
const COSTLIEST = 10;
/** The number of marked moves on a page. */
const PAGE = 20;
/** The smallest range of chances in a graph. */
const LEAST_RANGE = 0.1;
const WIDTH = 300;
const HEIGHT = 110;

/** The marks of reviewed moves, and their names. */
const MARKS = {
  great: ["!", "the only move that keeps the value"],
  inaccuracy: ["?!", "an inaccuracy"],
  mistake: ["?", "a mistake"],
  blunder: ["??", "a blunder"],
};

const NOW = { loss: "loses", draw: "draws" };

/** Points with as many decimals as are meaningful: those of throws are small. */
const points = (lost) => lost.toFixed(lost < 2 ? 2 : 1);

const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** Reviews the game on the board. */
export function openReview() {
  byId("record-box").open = true;
  byId("record-box").scrollIntoView({ block: "nearest" });
  byId("review").click();
}

export class Reviewing {
  constructor(play) {
    this.play = play;
    this.training = new Training(play);
    byId("review").addEventListener("click", () => this.start());
    byId("review-cancel").addEventListener("click", () => this.job && cancelJob(this.job).catch(trouble));
  }

  async start() {
    this.reset();
    const { game, begun, line } = this.play;
    const turn = (this.turn = { game, begun, line });
    byId("review").disabled = true;
    byId("review-progress").textContent = "Reviewing the game …";
    try {
      const { review, job } = await reviewRecord(game, this.play.record(), AT_ONCE);
      if (this.turn !== turn) return;
      if (review) return this.ended({ state: "done", review });
      this.job = job;
      byId("review-cancel").hidden = false;
      const moves = [];
      this.stop = follow(job.id, () => {}, (end) => this.ended(end), (error) => this.failed(error), {
        move: (own) => {
          moves.push(own);
          // Many moves may arrive at once, and the time to draw grows with the number of moves.
          this.drawing ??= setTimeout(() => {
            this.drawing = null;
            if (this.turn !== turn || this.job !== job) return;
            byId("review-progress").textContent = `Reviewed: ${moves.length} of ${line.length} moves.`;
            this.draw({ game, moves, players: [] });
          }, BETWEEN_DRAWINGS);
        },
      });
    } catch (error) {
      if (this.turn === turn) this.failed(error);
    }
  }

  /** Discards a review of another game. */
  leave(game, begun) {
    if (this.turn && (this.turn.game !== game || this.turn.begun !== begun)) this.reset();
  }

  reset() {
    this.stop?.();
    this.stop = this.job = this.turn = null;
    byId("review").disabled = false;
    byId("review-cancel").hidden = true;
    byId("review-progress").textContent = "";
    byId("review-result").replaceChildren();
  }

  done() {
    this.stop?.();
    this.stop = this.job = null;
    byId("review").disabled = false;
    byId("review-cancel").hidden = true;
  }

  failed(error) {
    this.done();
    byId("review-progress").textContent = "";
    trouble(error);
  }

  ended({ state, review, problem }) {
    this.done();
    if (problem) trouble(new Error(problem.detail));
    const cut = review && !review.complete;
    byId("review-progress").textContent = cut ? `Stopped: ${review.moves.length} of ${review.plies} moves were reviewed.` : state === "cancelled" ? "Stopped." : "";
    if (state !== "failed" && review) this.draw(review);
  }

  draw(review) {
    const { line } = this.turn;
    review.moves.forEach((own, at) => { if (line[at]) line[at].mark = own.mark ? MARKS[own.mark][0] : ""; });
    const marked = review.moves.filter(({ mark }) => mark);
    const mistakes = this.mistakes(marked);
    const unproved = review.moves.filter(({ value, lost }) => value === "unknown" && lost === null).length;
    byId("review-result").replaceChildren(
      this.graph(review),
      element("ul", { className: "players" }, ...review.players.map((player) => accuracyOf(review.game, player))),
      hasLuck(review.moves) ? element("p", { className: "help", textContent: "Dashed: the chance by the luck of the throws alone." }) : "",
      unproved ? element("p", { className: "help", textContent: `${counted(unproved, "move is", "moves are")} unproved: the position was proved, the value after the move was not.` }) : "",
      mistakes.length && review.complete ? button("Learn from your mistakes", () => this.training.begin(review.game, line, mistakes), "primary") : "",
      ...this.marks(review.game, marked));
    drawHistory(this.play);
  }

  /** The marked moves that cost something and have a better one: those of the visitor, or of both if he did not play. */
  mistakes(marked) {
    const isVisitor = (at) => this.play.headers.some(([name, player]) => name === ["First", "Second"][at] && player === "Visitor");
    const own = playersOf(this.play.game).filter((_, at) => isVisitor(at));
    return marked.filter(({ mark, turn, better }) => mark !== "great" && better.length && (!own.length || own.includes(turn)));
  }

  /** The marked moves, and above them the costliest if there are many. */
  marks(game, marked) {
    const list = (moves) => element("ol", { className: "marks" }, ...moves.map((own) => this.item(game, own)));
    if (marked.length <= COSTLIEST) return [list(marked)];
    const costliest = marked.toSorted((one, other) => (other.lost ?? 0) - (one.lost ?? 0)).slice(0, COSTLIEST);
    return [
      element("h3", { textContent: "The costliest moves" }), list(costliest),
      element("details", {}, element("summary", { textContent: `All ${marked.length} marked moves` }), paged(marked, list)),
    ];
  }

  /** The first player's chance after each move, and the luck of the throws; a click on a mark goes there. */
  graph({ game, moves, first_chance: begin }) {
    const [first] = playersOf(game);
    const points = [begin, ...moves.map((own) => own.first_chance)];
    const luck = luckOf(first, begin ?? .5, moves);
    const x = (at) => 6 + (at * (WIDTH - 12)) / Math.max(points.length - 1, 1);
    const [low, high] = rangeOf([...points, ...luck]);
    const y = (chance) => 6 + ((high - (chance ?? .5)) / (high - low)) * (HEIGHT - 12);
    const marks = moves.flatMap((own, at) => (own.mark ? [{ ...own, at: at + 1 }] : []));
    const dot = ({ at, mark, first_chance: chance }) => {
      const circle = svg("circle", { class: `mark-dot ${mark}`, cx: x(at), cy: y(chance), r: 4 });
      circle.addEventListener("click", () => this.goTo(at));
      return circle;
    };
    const along = (heights) => heights.map((chance, at) => (chance === null || chance === undefined ? null : `${x(at)},${y(chance)}`)).filter(Boolean).join(" ");
    return svg("svg", {
      class: "review-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `Chance of ${nameOf(game, first)} after each move: ${moves.map((own) => (own.first_chance === null ? "?" : percent(own.first_chance))).join(", ")}`,
    },
    svg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT }),
    svg("line", { x1: 0, x2: WIDTH, y1: y(.5), y2: y(.5) }),
    ...(luck.length ? [svg("polyline", { class: "luck", points: along(luck) })] : []),
    svg("polyline", { points: along(points) }),
    ...marks.map(dot),
    ...[[first, 14, high], [playersOf(game)[1], HEIGHT - 6, 1 - low]].map(([player, height, chance]) =>
      label(chance === 1 ? `${nameOf(game, player)} wins` : `${nameOf(game, player)} ${Math.round(100 * chance)}\u00a0%`, height)));
  }

  /** A marked move with its better line, as text. */
  item(game, own) {
    const [sign, words] = MARKS[own.mark];
    const lost = own.mark === "great" ? "" : own.ground === "value" && own.luck === undefined ? `; loses the proved value, now ${NOW[own.value] ?? "cannot win"}` : `; loses ${points(own.lost)} points${own.source === "exact" ? "" : ", estimated"}`;
    const better = own.mark !== "great" && own.better.length ? own.better : null;
    return element("li", {},
      element("button", { type: "button", onclick: () => this.goTo(own.ply), "aria-label": `Ply ${own.ply}, ${own.move}, ${words}; go there` },
        `${own.ply}. ${own.throw ? `${own.throw}: ` : ""}${own.move}`, element("b", { className: `mark ${own.mark}`, textContent: sign })),
      element("span", { textContent: ` ${nameOf(game, own.turn)}: ${words}${lost}.` }),
      better ? element("span", { className: "help", textContent: ` Better: ${better.slice(0, 8).join(" ")}${better.length > 8 ? " …" : ""} ` }) : null,
      better ? element("button", { type: "button", textContent: "Play line", onclick: () => this.follow(own) }) : null);
  }

  goTo(ply) {
    this.play.onto(this.turn.line, ply);
    this.play.goTo(ply);
  }

  /** Plays the better line on the board; the game itself stays as a variation. */
  follow({ ply, better, throw: score }) {
    const words = better.map((move, at) => (at === 0 && score ? `${score}:${move}` : move));
    this.play.instead(this.turn.line, ply - 1, words).catch(trouble);
  }
}

/** Whether the game has throws. */
const hasLuck = (moves) => moves.some(({ luck }) => luck !== undefined);

/** The first player's chances if each move had kept them and the throws alone had changed them, in games with throws. */
function luckOf(first, begin, moves) {
  if (!hasLuck(moves)) return [];
  let sum = 0;
  return [begin, ...moves.map(({ turn, luck }) => begin + (sum += (turn === first ? 1 : -1) * (luck ?? 0)) / 100)];
}

/** A list of items, a long one in pages. */
function paged(items, list) {
  const count = Math.ceil(items.length / PAGE);
  if (count <= 1) return list(items);
  const place = element("div");
  const show = (page) => {
    const turn = (words, to) => element("button", { type: "button", textContent: words, disabled: to < 0 || to >= count, onclick: () => show(to) });
    refill(place, list(items.slice(PAGE * page, PAGE * (page + 1))),
      element("div", { className: "row" }, turn("Previous", page - 1), element("span", { textContent: `Page ${page + 1} of ${count}` }), turn("Next", page + 1)));
  };
  show(0);
  return place;
}

/** The range of chances that a graph shows: even and all points, in steps of 5 per cent. */
function rangeOf(points) {
  const known = points.filter((chance) => chance !== null && chance !== undefined);
  const [low, high] = [Math.min(.5, ...known), Math.max(.5, ...known)];
  const margin = Math.max(0, (LEAST_RANGE - (high - low)) / 2);
  return [Math.max(0, Math.floor(20 * (low - margin)) / 20), Math.min(1, Math.ceil(20 * (high + margin)) / 20)];
}

function label(words, y) {
  const text = svg("text", { x: WIDTH - 6, y });
  text.textContent = words;
  return text;
}

function accuracyOf(game, { turn, accuracy, great, inaccuracies, mistakes, blunders, luck }) {
  const said = accuracy === null ? "not known" : accuracy.toFixed(1);
  const lucky = luck === undefined ? "" : `; luck of the throws ${luck < 0 ? "−" : "+"}${Math.abs(luck).toFixed(2)} points`;
  return element("li", {}, element("b", { textContent: `${nameOf(game, turn)}: accuracy ${said}` }),
    ` · ${great} great, ${counted(inaccuracies, "inaccuracy", "inaccuracies")}, ${counted(mistakes, "mistake", "mistakes")}, ${counted(blunders, "blunder", "blunders")}${lucky}`);
}
