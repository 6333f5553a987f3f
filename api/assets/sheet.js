// The panel next to the board: chances, throws, moves, the game so far, the legend.

import { svg } from "./board.js";
import { button, byId, element, hidden, refill, scrollable, showBoard } from "./dom.js";
import { gameOf } from "./games.js";
import { explained } from "./glossary.js";
import { wordOf } from "./record.js";
import { chancesOf, kindOf, nameOf, numberOf, percent, percentOf, playersOf, signOf, wordsOf } from "./values.js";

/** The number of moves of a variation that are shown. */
const LONGEST = 40;
/** A chance within this distance of the best is marked as close to it. */
const CLOSE = 0.02;

/** The chances as a bar in the players' colours and as text. */
export function drawChances(answer, shown, isAwaited) {
  const chances = shown && !answer.over ? chancesOf(answer) : null;
  const [bar, words] = ["chances", "chances-words"].map(byId);
  bar.hidden = words.hidden = !chances && !isAwaited;
  if (!chances) {
    bar.className = "chances estimate";
    bar.replaceChildren();
    words.textContent = "No estimate yet.";
    return bar.setAttribute("aria-label", words.textContent);
  }
  const { win, draw, loss, source } = chances;
  const rival = playersOf(answer.game).find((letter) => letter !== answer.turn);
  const shares = [[answer.turn, nameOf(answer.game, answer.turn), win], ["draw", "draw", draw], [rival, nameOf(answer.game, rival), loss]];
  // The first player is always on the left.
  if (playersOf(answer.game)[0] !== answer.turn) shares.reverse();
  bar.className = `chances ${source}`;
  const proved = source === "exact" ? element("b", { textContent: "proved" }) : null;
  bar.replaceChildren(...shares.map(([kind, , share]) => {
    const part = element("span", { className: kind });
    part.style.width = `${100 * share}%`;
    return part;
  }), ...(proved ? [proved] : []));
  const said = shares.filter(([kind, , share]) => kind !== "draw" || share > 0).map(([, name, share]) => `${name} ${source === "exact" ? percent(share) : percentOf(share, answer)}`).join(", ");
  words.textContent = `${source === "exact" ? "Proved" : "Estimated, not proved"}: ${said}.`;
  bar.setAttribute("aria-label", words.textContent);
}

/** The throws, each with its value, and the current throw; empty in games without throws. */
export function drawThrows(play, shown) {
  const place = byId("throws");
  const throws = play.answer.throws ?? [];
  place.hidden = !throws.length;
  if (!throws.length) return;
  if (play.hasFixedThrows) return drawFallen(play, place, throws);
  const choice = (own) => element("button", {
    type: "button", className: "throw", "aria-pressed": String(own.throw === play.throw), onclick: () => play.thrown(own.throw),
  }, ...faces(own, shown));
  refill(place,
    element("h2", { textContent: play.throw === null ? "Throw the sticks, or choose a throw" : `Thrown: ${play.throw}` }),
    element("div", { className: "row throws" },
      button("Throw", () => play.roll(), "primary"),
      ...throws.map(choice)));
}

/** A throw with its weight and, if wanted and known, its worth. */
function faces({ throw: score, weight, chance }, shown) {
  const texts = [hidden("Throw "), element("b", { textContent: score }), hidden(", "), element("small", { textContent: `${weight}/16` })];
  return shown && chance !== null ? [...texts, worth(chance)] : texts;
}

/** The throws of a match, in which nobody chooses them: the last ones, and the worth of the others. */
function drawFallen(play, place, throws) {
  const { answer, opponent, throw: score } = play;
  const last = play.line[play.ply - 1];
  const isRival = opponent.isToMove(answer);
  const heading = score !== null ? `${isRival ? "Marquis" : "You"} threw ${score}` : isRival ? "Marquis throws …" : "Your throw";
  const fallen = (own) => element("span", { className: "throw", "aria-current": own.throw === score ? "true" : null }, ...faces(own, true));
  refill(place,
    element("p", { className: "help", textContent: last?.by === opponent.side ? `Marquis threw ${last.throw}: ${last.move}.` : "" }),
    element("h2", {}, heading, score === null ? null : sticks(score)),
    element("div", { className: "row throws" },
      ...(isRival ? [] : score === null ? [button("Throw", () => play.roll(), "primary")] : throws.map(fallen))));
}

/** The four sticks of a throw: as many light sides up as it counts, none for 6. */
function sticks(score) {
  const light = score > 4 ? 0 : score;
  const stick = (at) => svg("rect", { x: 1 + 7 * at, y: 1, width: 4, height: 18, rx: 2, class: at < light ? "light" : "dark" });
  return svg("svg", { class: "sticks", viewBox: "0 0 27 20", role: "img", "aria-label": `${light} light sides up` }, ...[0, 1, 2, 3].map(stick));
}

/** Whether the known values distinguish any of the moves. */
function tellsApart(moves) {
  const told = ({ value, bounds, plies, chance, estimate }) => JSON.stringify([value, bounds, plies, chance, estimate]);
  return new Set(moves.map(told)).size > 1;
}

/** The legal moves, best first while values are shown. */
export function drawMoves(play, shown) {
  const ordered = shown && tellsApart(play.moves);
  byId("moves-title").textContent = ordered ? "Moves, best first" : "Moves";
  byId("moves-title").hidden = !play.moves.length;
  byId("moves-title").dataset.count = ` · ${play.moves.length}`;
  const place = byId("moves");
  const isNew = place.dataset.of !== (place.dataset.of = `${play.position} ${play.throw}`);
  const moves = shown ? play.moves : [...play.moves].sort((a, b) => a.move.localeCompare(b.move));
  const item = (move) => {
    const aside = (textContent, title) => element("span", { className: "delta", textContent, title, "aria-hidden": "true" });
    const delta = shown && move.delta ? aside(`+${move.delta}`, "plies worse than the best") : null;
    const chip = shown ? element("span", { className: `chip ${kindOf(move)}`, textContent: numberOf(move), "aria-hidden": "true" }) : null;
    return element("li", {}, element("button", { type: "button", onclick: () => { play.play(move); showBoard(); } },
      chip, element("span", { className: "text", textContent: move.move }), shown ? hidden(`, ${wordsOf(move)}`) : null, delta));
  };
  // After a move from the list, the focus stays there; without moves it goes to the throw, or to the board.
  if (refill(place, ...moves.map(item)) === "lost") (byId("throws").querySelector("button") ?? play.board).focus();
  scrollable(place, isNew);
  if (isNew && place.contains(document.activeElement)) place.querySelector("button")?.focus();
}

/** The moves of a variation with those that branch off from it, as buttons; `path` leads to it from the main line. */
function buttonsOf(play, path) {
  const { at, line, variations } = path.at(-1);
  const move = (entry, step) => element("button", {
    type: "button", onclick: () => play.choose(path, step + 1), title: "To the position after this move",
    textContent: `${at + step + 1}. ${wordOf(entry)}${entry.mark ?? ""}`,
  });
  return line.slice(0, LONGEST).flatMap((entry, step) => [
    move(entry, step), " ",
    ...variations.filter((one) => one.at === at + step).flatMap((one) => ["(", ...buttonsOf(play, [...path, one]), ") "]),
  ]).concat(line.length > LONGEST ? ["…"] : []);
}

/** The moves played, each followed by the variations that branch off before it. */
export function drawHistory(play) {
  const item = (entry, at) => element("li", {}, element("button", {
    type: "button", onclick: () => play.goTo(at + 1), title: "To the position after this move",
    "aria-current": at + 1 === play.ply ? "step" : null,
  }, `${at + 1}. ${entry.throw ? `${entry.throw}: ` : ""}${entry.move}${entry.mark ?? ""} `,
  entry.sign && play.shown ? element("span", { className: `chip ${entry.kind}`, textContent: entry.sign }) : null));
  const variation = (one) => element("li", { className: "variation" }, ...buttonsOf(play, [one]));
  const from = (at) => play.variations.filter((one) => one.at === at).map(variation);
  refill(byId("history"), ...play.line.flatMap((entry, at) => [item(entry, at), ...from(at)]), ...from(play.line.length));
  const now = byId("history").querySelector("[aria-current]");
  const box = byId("history").parentElement;
  if (now) box.scrollTop = now.offsetTop - box.offsetTop - box.clientHeight / 2;
  byId("history-title").hidden = !play.line.length && !play.variations.length;
  // The values of moves from a record are unknown before a review.
  play.chart.show(play.game, play.shown && play.line.every(({ sign }) => sign) ? play.line : []);
  play.onLine?.();
}

/** `state`, the player to move or the result, and the stores and the target if the game has them. */
export function stores(game, position, state) {
  if (!gameOf(game).setUps) return state;
  const [, , store = "0-0", target = "?"] = position.split(" ");
  const [white, black] = store.split("-");
  return `${state} · beads: White ${white}, Black ${black}, ${target} win`;
}

/** The meanings of the marks. */
export function legend(place, game, shown, moves) {
  const entry = (kind, sign, words) => element("span", {}, element("span", { className: `chip ${kind}`, textContent: sign }), words);
  const entries = gameOf(game).throws
    ? [entry("win", "%", "best chance"), entry("draw", "%", `within ${100 * CLOSE} points`), entry("loss", "%", "worse"), entry("unknown", "?", "not known")]
    : [entry("win", "+", "wins"), entry("draw", "=", "draws"), entry("loss", "−", "loses"), entry("unknown", "?", "not known")];
  if (!gameOf(game).throws) {
    const half = { "?≥=": "cannot lose", "?≤=": "cannot win" };
    const signs = moves.map(signOf);
    entries.push(...Object.keys(half).filter((sign) => signs.includes(sign)).map((sign) => entry("unknown", sign, half[sign])),
      element("span", {}, ...explained("Numbers are plies to the end; percentages are estimated chances of winning.")));
  }
  refill(place, ...(shown ? entries : []));
}

/** The class of a chance relative to the best one. */
export function closeness(move, best) {
  if (move.chance === null || best === null) return "unknown";
  const behind = best - move.chance;
  return behind < 1e-6 ? "win" : behind <= CLOSE ? "draw" : "loss";
}

/** A chance as a number and as a bar. */
function worth(chance) {
  const bar = element("i");
  bar.style.width = `${100 * chance}%`;
  return element("span", { className: "worth" }, element("small", {}, percent(chance), hidden(" to win")), element("span", { className: "bar" }, bar));
}
