// The list of puzzles: proved set-ups that ship with the program, from easy to hard.

import { gallery } from "./api.js";
import { byId, element, trouble } from "./dom.js";
import { linkOf } from "./link.js";
import { miniature } from "./miniature.js";
import { dailyOf, nextOf, progressOf, progressWords } from "./progress.js";
import { meter } from "./verdict.js";

/** The puzzles of a game, each with its `name`; set-ups that nobody can win are none. */
export async function puzzlesOf(game) {
  const { set_ups: all } = await gallery(game);
  const nameOf = ({ proof }) => /([^/]+)\.proof$/.exec(proof.href)[1];
  return all.filter(({ rating }) => rating !== null).map((set) => ({ ...set, name: nameOf(set) }));
}

export class Gallery {
  /** * `solve(name)`: opens a puzzle. */
  constructor(solve) {
    this.solve = solve;
    byId("puzzle-random").addEventListener("click", () => this.go((puzzles) => nextOf(this.game, puzzles)));
    byId("puzzle-daily").addEventListener("click", () => this.go((puzzles) => dailyOf(puzzles)));
  }

  /** Opens the puzzle that is picked from all. */
  go(pick) {
    const puzzle = this.puzzles?.length ? pick(this.puzzles) : null;
    if (puzzle) this.solve(puzzle.name);
    else if (this.puzzles) byId("gallery-words").textContent = "All puzzles are solved.";
  }

  async show(game) {
    const place = byId("exhibits");
    if (this.game !== game) place.replaceChildren(element("li", { textContent: "Looking …" }));
    this.game = game;
    this.puzzles = null;
    try {
      const puzzles = await puzzlesOf(game);
      if (this.game !== game) return;
      this.puzzles = puzzles;
      const { results } = progressOf(game);
      byId("gallery-words").textContent = progressWords(game, puzzles);
      place.replaceChildren(...puzzles.map((puzzle) => this.card(game, puzzle, results[puzzle.name])));
    } catch (error) {
      place.replaceChildren();
      trouble(error);
    }
  }

  card(game, { name, board, rating }, solved) {
    const result = solved === undefined ? null : element("span", { className: `chip ${solved ? "win" : "loss"}`, textContent: solved ? "solved" : "not solved" });
    return element("li", { className: "card" },
      element("a", { href: linkOf({ game, view: "gallery", puzzle: name }), onclick: (event) => { event.preventDefault(); this.solve(name); } },
        element("h3", { textContent: `Puzzle ${name} ` }, result),
        miniature(game, board)),
      element("p", { className: "difficulty" }, meter(rating)));
  }
}
