// The studies of the service: their state, and how their trees grow.

import { studies, study } from "./api.js";
import { byId, element, hidden, loaded, trouble } from "./dom.js";
import { gameOf } from "./games.js";
import { linkOf } from "./link.js";
import { mirrored, nameOf, percent, playersOf, signOf, wordsOf } from "./values.js";
import { lengthOf } from "./verdict.js";

/** Milliseconds between two requests. */
const EVERY = 5000;
/** Seconds of silence after which a study counts as inactive. */
const SILENCE = 60;
/** The number of moves of the line with most effort that are open at first. */
const OPEN = 6;

const name = new URLSearchParams(location.search).get("study");
const figure = (count) => count.toLocaleString("en");
/** The positions that the visitor has opened or closed, by number. */
const opened = new Map();
let drawn = null;

const ENDS = { answered: "done", nodes: "position limit reached", memory: "memory limit reached", time: "time limit reached", stopped: "stopped" };

/** Whether a worker is active, or why not. */
function workOf({ ended, written, seconds, others }) {
  if (ended) return `Ended: ${ENDS[ended] ?? ended}.`;
  const silent = Date.now() / 1000 - written;
  const helped = others ? `, with ${others} ${others === 1 ? "thread" : "threads"} of other processes` : "";
  return silent < SILENCE ? `Running for ${lengthOf(seconds)}${helped}.` : `Stopped; last update ${lengthOf(silent)} ago.`;
}

/** The knowledge about the first position. Before the end it is the separate results of the jobs. */
function knownOf({ game, turn, value, bounds, ended }) {
  const words = wordsOf({ value, bounds, plies: null });
  const sure = ended || words === "not known" ? "" : " (found; the whole proof is not yet checked)";
  return `${nameOf(game, turn)} to move: ${words}${sure}`;
}

function drawList(shown) {
  if (!shown.length) {
    return [element("p", {}, "This service shows no studies; ", element("code", { textContent: "marquis serve --studies DIR" }), " shows some.")];
  }
  const head = ["study", "known", "jobs", "positions searched", "now", "position"];
  const row = (one) => [
    element("a", { href: `/studies/?study=${encodeURIComponent(one.name)}`, textContent: one.name }),
    `${gameOf(one.game).name}. ${knownOf(one)}`, figure(one.jobs), figure(one.nodes), workOf(one), element("code", { textContent: one.position }),
  ];
  return [element("div", { className: "scrolled", tabIndex: 0, role: "region", "aria-label": "Studies" }, element("table", { className: "figures" },
    element("thead", {}, element("tr", {}, ...head.map((said) => element("th", { scope: "col", textContent: said })))),
    element("tbody", {}, ...shown.map((one) => element("tr", {}, ...row(one).map((said) => element("td", {}, said)))))))];
}

/** A move of the tree with the effort spent after it, and below it the moves that followed. */
function branch(tree, below, own, depth) {
  const children = below.get(own.number) ?? [];
  const [first] = tree.positions;
  const share = first.nodes ? own.nodes / first.nodes : 0;
  const bar = element("i");
  bar.style.width = `${100 * share}%`;
  const seen = own.move === null ? null : mirrored({ value: own.found, bounds: own.bounds, plies: null });
  const agreed = tree.immobile === "loss" ? {} : { immobile: tree.immobile };
  const left = [[own.turn, own.to_win], [playersOf(tree.game).find((letter) => letter !== own.turn), own.to_lose]]
    .filter(([, number]) => number !== null).map(([letter, number]) => `${nameOf(tree.game, letter)} ${figure(number)}`);
  const step = element("div", { className: "step" },
    seen && element("span", { className: `chip ${seen.value}`, textContent: signOf(seen), "aria-hidden": "true" }),
    element("a", { href: linkOf({ game: tree.game, position: own.position, ...agreed }), textContent: own.move ?? "First position", "data-at": `a${own.number}` }),
    seen && hidden(wordsOf(seen)),
    element("span", { className: "bar", "aria-hidden": "true" }, bar),
    element("small", { textContent: `${percent(share)}, ${figure(own.jobs)} ${own.jobs === 1 ? "job" : "jobs"}${left.length ? `; proof numbers ${left.join(", ")}` : ""}` }));
  if (!children.length) return element("li", {}, step);
  const words = children.length === own.moves ? `${own.moves} ${own.moves === 1 ? "move" : "moves"}` : `${children.length} of ${own.moves} moves`;
  const summary = element("summary", { textContent: words, "data-at": `s${own.number}` });
  const list = element("ol", {}, ...children.map((child, at) => branch(tree, below, child, at ? OPEN : depth + 1)));
  const details = element("details", { open: opened.get(own.number) ?? depth < OPEN }, summary, list);
  summary.addEventListener("click", () => opened.set(own.number, !details.open));
  return element("li", {}, step, details);
}

function drawTree(tree) {
  const below = new Map();
  for (const own of tree.positions.slice(1)) below.set(own.from, [...(below.get(own.from) ?? []), own]);
  for (const children of below.values()) children.sort((one, other) => other.nodes - one.nodes);
  const focused = document.activeElement?.dataset.at;
  byId("tree").replaceChildren(branch(tree, below, tree.positions[0], 0));
  if (focused) document.querySelector(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  const more = tree.all - tree.positions.length;
  byId("beyond").textContent = more > 0 ? `The ${figure(tree.positions.length)} positions with most effort; the tree has ${figure(more)} more.` : "";
}

function drawStudy(shown) {
  const { game, jobs, nodes, positions, root_moves: moves, line, tree } = shown;
  byId("study").hidden = false;
  document.title = `${shown.name} · Marquis`;
  byId("study-title").textContent = `${gameOf(game).name}: ${shown.name}`;
  const known = knownOf(shown);
  if (byId("known").textContent !== known) byId("known").textContent = known;
  const decided = moves ? ` ${moves.decided} of ${moves.all} first moves are decided.` : "";
  byId("effort").textContent = `${figure(jobs)} jobs have searched ${figure(nodes)} positions; the tree has ${figure(positions)}.${decided} ${workOf(shown)}`;
  byId("line").textContent = line.length ? `Searched last: ${line.join(" ")}` : "";
  if (!tree) byId("beyond").textContent = "The tree is not written yet.";
  else if (drawn !== tree.written) drawTree(tree);
  drawn = tree?.written;
}

async function look() {
  try {
    if (name === null) byId("studies").replaceChildren(...drawList(await studies()));
    else drawStudy(await study(name));
    trouble(null);
  } catch (error) {
    trouble(error);
  }
  setTimeout(look, EVERY);
}

loaded();
byId("studies").hidden = name !== null;
look();
