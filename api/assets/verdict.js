// The knowledge about a set-up, as text.

import { element } from "./dom.js";
import { nameOf, percent, plies } from "./values.js";

/** The pie of a balance or a set-up, as text. */
export function pieOf({ pie, bait = 0 }) {
  if (pie !== "bait") return "Marquisian pie";
  return bait ? `Bait pie, ${bait} ${bait === 1 ? "bead" : "beads"}` : "Bait pie, no bait";
}

/** The recommendation to Player Two: `Take the bait: you win in 17.` */
export function verdictOf(balance) {
  const { player_two: two, first_mover: movers, balanced } = balance;
  if (balanced === true) return "Balanced: best play is a draw, whatever Player Two chooses.";
  if (balanced === null) {
    return two.leaning ? `Not decided. ${leaningOf(balance.game, two.leaning)}` : "Not decided.";
  }
  const name = two.colour ? nameOf(balance.game, two.colour) : null;
  const counts = (wanted) => ["w", "b"].map((colour) => movers[colour])
    .filter((mover) => mover?.value === wanted && mover.plies !== null).map((mover) => mover.plies);
  const soonest = (wanted) => (counts(wanted).length ? ` in ${Math.min(...counts(wanted))}` : "");
  // Player One chooses, and takes the colour that resists longer.
  const latest = (wanted) => (counts(wanted).length === 2 ? ` in at most ${Math.max(...counts(wanted))}` : "");
  // If Player Two chooses the colour, only the colour that then moves first matters.
  const by = (colour) => (movers[colour]?.plies ? ` in ${movers[colour].plies}` : "");
  const rival = two.colour === "w" ? "b" : "w";
  switch (two.choice) {
    case "move-first": return name ? `Move first with ${name}: you win${by(two.colour)}.` : `Move first: you win${latest("win")}, whichever colour you get.`;
    case "choose-colour": return `Choose ${name ?? "the colour"} and let Player One move first: you win${name ? by(rival) : soonest("loss")}.`;
    case "take-bait": return `Take the bait: you win${latest("loss")}, whichever colour Player One takes.`;
  }
  return "Player Two wins.";
}

/** The better choice for Player Two by an estimate, as text. */
export function leaningOf(game, { choice, colour, wdl }) {
  const name = colour ? nameOf(game, colour) : null;
  const doing = {
    "move-first": name ? `move first with ${name}` : "move first",
    "choose-colour": `choose ${name ?? "the colour"} and let Player One move first`,
    "take-bait": "take the bait",
  }[choice];
  return `Estimated, not proved: ${doing}, with a chance of ${percent(wdl.win + wdl.draw / 2)}.`;
}

/** The level that finds the right choice and wins with it; null if the set-up was not rated. */
export function heldBy(rating) {
  if (rating === null || rating === undefined) return null;
  if (rating <= 1) return "Players of every level find the right choice and win with it in at least half of the games.";
  if (rating > 8) return "No level finds the right choice and wins with it in half of the games.";
  return `A player of level ${rating.toFixed(1)} finds the right choice and wins with it in half of the games.`;
}

/** The number of first moves that hold, in sentences. */
export function narrownessOf({ keeping_moves: keeping, first_moves: all, greedy_move: greedy, greedy_keeps: keeps, only_move_line: only }) {
  const said = [];
  if (keeping !== null && keeping < all) said.push(`Of the ${all} first moves, ${keeping === 1 ? "only one keeps" : `${keeping} keep`} the value.`);
  if (greedy && keeps === false) said.push(`A trap: the greediest capture, ${greedy}, loses the value.`);
  if (only) said.push(`The longest line in which only one move holds has ${plies(only)}.`);
  return said;
}

const WORTH = { loss: -1, draw: 0, win: 1 };
const NAMES = ["loss", "draw", "win"];

/** The verdicts under both pies, from the values of both colours and without a bait. */
export function verdictsOf(game, movers) {
  const worth = Object.fromEntries(Object.entries(movers).map(([colour, { value }]) => [colour, WORTH[value]]));
  if (Object.values(worth).includes(undefined)) return ["marquisian", "bait"].map((pie) => balanceOf(game, pie, movers, null));
  const [least, most] = [Math.min(worth.w, worth.b), Math.max(worth.w, worth.b)];
  const other = { w: "b", b: "w" };
  // Of two equal values, the shorter game.
  const sooner = (movers.b.plies ?? Infinity) < (movers.w.plies ?? Infinity) ? "b" : "w";
  const of = (wanted) => (worth.w === worth.b ? sooner : worth.w === wanted ? "w" : "b");
  return [
    balanceOf(game, "marquisian", movers, least, least > 0 ? { choice: "move-first", colour: null } : { choice: "choose-colour", colour: other[of(least)] }),
    balanceOf(game, "bait", movers, most, most > 0 ? { choice: "move-first", colour: of(most) } : { choice: "take-bait", colour: null }),
  ];
}

/** A balance in the wire form, from the deciding value: loss, draw or win by moving first. */
function balanceOf(game, pie, movers, worth, choice) {
  if (worth === null) return { game, pie, bait: 0, first_mover: movers, balanced: null, player_two: { bounds: ["draw", "win"] } };
  const value = NAMES[Math.abs(worth) + 1];
  return { game, pie, bait: 0, first_mover: movers, balanced: worth === 0, player_two: { ...(worth ? choice : { choice: null, colour: null }), value, bounds: [value, value] } };
}

/** The rating as eight marks; one is filled for each level that fails. */
export function meter(rating) {
  const marks = Array.from({ length: 8 }, (_, at) => {
    const full = Math.min(1, Math.max(0, rating - 1 - at));
    const mark = element("i", {});
    mark.style.setProperty("--full", `${100 * full}%`);
    return mark;
  });
  const words = rating > 8 ? "Difficulty: above level 8" : `Difficulty: level ${rating.toFixed(1)} of 8`;
  return element("span", { className: "meter", role: "img", "aria-label": words, title: words }, ...marks);
}

/** The rating as marks and as text. */
export const difficultyOf = (rating) => [meter(rating), element("span", { textContent: rating > 8 ? "above level 8" : `level ${rating.toFixed(1)}` })];

/** The size of a file as text. */
export const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`);

/** A duration as text: `12.3 s`, `4 min 05 s`. */
export function lengthOf(seconds) {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.floor(seconds % 60);
  if (minutes < 60) return `${minutes} min${rest ? ` ${String(rest).padStart(2, "0")} s` : ""}`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}
