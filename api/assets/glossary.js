// Terms that a newcomer may not know: one list, and a note at each place that uses one.

import { byId, element } from "./dom.js";

/** By their spelling; `many` is the plural. */
const WORDS = {
  ply: { many: "plies", said: "A move by one of the players. A game that is won in 5 plies ends with the winner’s third move." },
  value: { many: "values", said: "The result with perfect play from both sides: a win, a draw or a loss for the player to move." },
  proved: { said: "Certain: from a table of every position, or from a search whose proof was replayed by the rules." },
  estimated: { said: "A guess without a proof: the chances between two equal Marquis players, in percent." },
  "best line": { said: "The moves of both players if each plays the best one that Marquis finds." },
  node: { many: "nodes", said: "A position that a search has visited." },
  table: { many: "tables", said: "A file with the value of every position with certain pieces, computed backwards from the ends of games." },
  "set-up": { many: "set-ups", said: "The board that Player One lays out before a game of Swish or Squeeze; Player Two then uses the pie rule." },
  pie: { said: "A rule for a fair start: one player lays out the board, the other chooses a side. The first player therefore makes both choices equally good." },
  bait: { said: "Beads off the board for the player who lets the other move first." },
  balanced: { said: "A set-up is balanced if best play is a draw, whatever Player Two chooses." },
  target: { said: "The number of beads that wins: more than half of them, unless the players agree on another." },
  "keep the value": { said: "A move keeps the value if it turns no win into a draw or loss, and no draw into a loss." },
  level: { many: "levels", said: "The strength of Marquis, from 1 to 8; below 8 it makes mistakes on purpose." },
};

const keyOf = new Map(Object.entries(WORDS).flatMap(([key, { many }]) => [[key, key], ...(many ? [[many, key]] : [])]));
const ANY = new RegExp(`\\b(${[...keyOf.keys()].sort((a, b) => b.length - a.length).join("|")})\\b`, "i");

/** A term with its note. */
function term(spelling) {
  return element("button", { type: "button", className: "term", "data-term": keyOf.get(spelling.toLowerCase()), textContent: spelling });
}

/** A text in which the first use of each term has a note. */
export function explained(text) {
  const told = new Set();
  const parts = [];
  let rest = text;
  for (let found = ANY.exec(rest); found; found = ANY.exec(rest)) {
    const key = keyOf.get(found[1].toLowerCase());
    parts.push(rest.slice(0, found.index), told.has(key) ? found[1] : term(found[1]));
    told.add(key);
    rest = rest.slice(found.index + found[1].length);
  }
  return [...parts, rest].filter((part) => part !== "");
}

/** The list of all terms. */
export function glossary() {
  const entry = ([key, { many, said }]) => [element("dt", { textContent: many ? `${key}, ${many}` : key }), element("dd", { textContent: said })];
  return element("dl", { className: "glossary" }, ...Object.entries(WORDS).sort().flatMap(entry));
}

/** Shows the note of a term on hover, keyboard focus or touch; Escape hides it. */
export function noteWords() {
  const tip = byId("tip");
  const wordAt = (event) => event.target.closest?.("[data-term]");
  // The term whose note was dismissed: it stays hidden while the page redraws the term and restores the focus.
  let silenced = null;
  const hide = () => {
    tip.hidden = true;
    document.querySelector("[aria-describedby=tip]")?.removeAttribute("aria-describedby");
  };
  const show = (word) => {
    hide();
    tip.textContent = WORDS[word.dataset.term].said;
    word.setAttribute("aria-describedby", "tip");
    tip.hidden = false;
    const { left, bottom, top } = word.getBoundingClientRect();
    const below = bottom + tip.offsetHeight + 8 < innerHeight;
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8)) + scrollX}px`;
    tip.style.top = `${(below ? bottom + 4 : top - tip.offsetHeight - 4) + scrollY}px`;
  };
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => {
      const word = wordAt(event);
      if (kind === "focusin" && word?.dataset.term === silenced) return;
      if (kind !== "pointerover") silenced = null;
      if (word) show(word);
      // The note of the focused term stays, wherever the mouse is.
      else if (kind !== "pointerover" || !document.activeElement?.matches("[data-term]")) hide();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    silenced = document.activeElement?.dataset.term ?? null;
    hide();
  });
}
