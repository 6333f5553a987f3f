// A proved set-up as a card: its drawing, its difficulty, the winner on demand, and actions.

import { ask } from "./api.js";
import { element, trouble } from "./dom.js";
import { miniature } from "./miniature.js";
import { nameOf, wordsOf } from "./values.js";
import { difficultyOf, pieOf, sizeOf, verdictOf, verdictsOf } from "./verdict.js";

/** Milliseconds to find the value of each colour; the service has the proof. */
const BUDGET = 1000;

/**
 * * `title`: the heading above the drawing.
 * * `set`: `{ game, board, rating, proof }`.
 * * `play(position)`: plays it out; `open(board)`: opens it in the laboratory.
 */
export function setUpCard(title, { game, board, rating, proof }, { play, open }) {
  const answer = element("div", { className: "answer", "aria-live": "polite" });
  const reveal = element("button", { type: "button", textContent: "Who wins?", onclick: () => tell(game, board, answer, reveal) });
  const first = (colour) => element("button", { type: "button", textContent: `${nameOf(game, colour)} first`, onclick: () => play(`${board} ${colour}`) });
  return element("li", { className: "card" },
    element("h3", { textContent: title }),
    miniature(game, board),
    element("p", { className: "difficulty" }, ...(rating === null ? ["Balanced: nobody can win."] : difficultyOf(rating))),
    element("div", { className: "row" }, reveal),
    answer,
    element("div", { className: "row out", role: "group", "aria-label": "Play it out against Marquis" }, element("span", { textContent: "Play it out:" }), first("w"), first("b")),
    element("p", { className: "help" }, ...linksOf(game, board, proof, open)));
}

/** Links to the laboratory, opened by `open(board)`, and to the proof, if there is one. */
export function linksOf(game, board, proof, open) {
  const laboratory = element("a", { href: `?game=${game}&setup=${board}`, textContent: "Open in the laboratory", onclick: (event) => { event.preventDefault(); open(board); } });
  return proof ? [laboratory, " · ", element("a", { href: proof.href, download: "", textContent: `Proof (${sizeOf(proof.bytes)})` })] : [laboratory];
}

/** The answers about a proved set-up with each colour moving first. */
export async function moversOf(game, board) {
  const [w, b] = await Promise.all(["w", "b"].map((colour) => ask(game, `${board} ${colour}`, BUDGET)));
  return { w, b };
}

/** Shows the values of both colours, and Player Two's choice under each pie. */
async function tell(game, board, place, button) {
  button.disabled = true;
  try {
    const movers = await moversOf(game, board);
    const { w, b } = movers;
    place.replaceChildren(
      element("p", { textContent: `White moving first ${wordsOf(w)}; Black moving first ${wordsOf(b)}.` }),
      element("dl", {}, ...verdictsOf(game, movers).flatMap((balance) => [
        element("dt", { textContent: pieOf(balance) }), element("dd", { textContent: verdictOf(balance) })])));
  } catch (error) {
    button.disabled = false;
    trouble(error);
  }
}
