// One puzzle: Player Two's choice about a set-up, and the game against best defence that follows from it.

import { button, byId, copyLink, element, say, showTask, trouble } from "./dom.js";
import { puzzlesOf } from "./gallery.js";
import { nextOf, note, progressWords } from "./progress.js";
import { openReview } from "./review.js";
import { linksOf, moversOf } from "./setupcard.js";
import { nameOf, wordsOf } from "./values.js";
import { difficultyOf, verdictOf, verdictsOf } from "./verdict.js";

const OTHER = { w: "b", b: "w" };

const PIES = {
  marquisian: "Marquisian pie: move first, and Player One decides the colours; or choose your colour, and Player One moves first.",
  bait: "Bait pie, no bait: move first with a colour of your choice; or let Player One move first with a colour of his choice.",
};

/**
 * The choices of Player Two under a pie. Each has its words, the colours that may then move first (the rival decides
 * where there are two), and whether Player Two is the one who moves first.
 */
function choicesOf(game, pie) {
  const name = (colour) => nameOf(game, colour);
  if (pie === "bait") {
    return [
      ...["w", "b"].map((colour) => ({ words: `Move first with ${name(colour)}`, colours: [colour], isFirst: true })),
      { words: "Take the bait", colours: ["w", "b"], isFirst: false },
    ];
  }
  return [
    { words: "Move first", colours: ["w", "b"], isFirst: true },
    ...["w", "b"].map((colour) => ({ words: `Choose ${name(colour)}`, colours: [OTHER[colour]], isFirst: false })),
  ];
}

/** The colour that moves first after a choice: the rival takes the one that is worst for Player Two, then the longest. */
function decided({ colours, isFirst }, movers) {
  const worth = { win: 1, draw: 0, loss: -1 };
  const forTwo = ({ value }) => (isFirst ? worth[value] : -worth[value]);
  const order = (one, other) => forTwo(movers[one]) - forTwo(movers[other]) || (movers[other].plies ?? 0) - (movers[one].plies ?? 0);
  return colours.toSorted(order)[0];
}

const isWon = ({ isFirst }, { value }) => value === (isFirst ? "win" : "loss");

export class Puzzle {
  /**
   * * `play`: the game on the board.
   * * `ways`: `draw(game, board)` draws a set-up, `open(name)` shows another puzzle, `playOut(position, rival)` plays
   *   a position against Marquis, `list()` shows all puzzles, `inLaboratory(board)` opens a set-up there.
   */
  constructor(play, ways) {
    Object.assign(this, { play, ways });
    byId("puzzle-share").addEventListener("click", (event) => copyLink(event.currentTarget));
    byId("puzzle-next").addEventListener("click", () => this.next());
    byId("puzzle-list").addEventListener("click", () => this.ways.list());
    byId("puzzle-answer").addEventListener("click", () => this.tell().catch(trouble));
  }

  /** Shows a puzzle of a game; the list is shown if there is none of this name. */
  async show(game, name) {
    const turn = (this.turn = {});
    Object.assign(this, { game, puzzle: null, movers: null });
    for (const id of ["puzzle-title", "puzzle-task", "puzzle-said", "puzzle-words"]) byId(id).textContent = "";
    byId("puzzle-choices").replaceChildren();
    byId("puzzle-rating").replaceChildren();
    try {
      this.puzzles = await puzzlesOf(game);
      if (this.turn !== turn) return;
      this.puzzle = this.puzzles.find((puzzle) => puzzle.name === name);
      if (!this.puzzle) throw new Error(`There is no puzzle ${name}.`);
    } catch (error) {
      this.ways.list();
      return trouble(error);
    }
    this.draw();
  }

  draw() {
    const { game, puzzle: { name, board, pie, rating, proof } } = this;
    this.ways.draw(game, board);
    byId("puzzle-title").textContent = `Puzzle ${name}`;
    byId("puzzle-rating").replaceChildren(...difficultyOf(rating));
    byId("puzzle-task").textContent = `You are Player Two. ${PIES[pie]} Which choice wins?`;
    byId("puzzle-choices").replaceChildren(...choicesOf(game, pie).map((choice) =>
      button(choice.words, (event) => this.choose(choice, event.currentTarget).catch(trouble))));
    byId("puzzle-more").replaceChildren(...linksOf(game, board, proof, this.ways.inLaboratory));
    byId("puzzle-words").textContent = progressWords(game, this.puzzles);
    byId("puzzle-answer").disabled = false;
  }

  /** The values of both colours moving first. */
  async values() {
    this.movers ??= await moversOf(this.game, this.puzzle.board);
    return this.movers;
  }

  async choose(choice, chosen) {
    const { turn } = this;
    const movers = await this.values();
    if (this.turn !== turn) return;
    const colour = decided(choice, movers);
    const mover = nameOf(this.game, colour);
    const how = choice.isFirst ? `you move first with ${mover}` : `Player One moves first with ${mover}`;
    if (!isWon(choice, movers[colour])) {
      chosen.disabled = true;
      this.result(false);
      return this.tellChoice("No.", `Then ${how}, and ${mover} ${wordsOf(movers[colour])}. Try another choice.`);
    }
    for (const other of byId("puzzle-choices").children) other.disabled = true;
    byId("puzzle-answer").disabled = true;
    this.tellChoice("Right.", `Then ${how}. Now win the game.`,
      button("Play it out", () => this.playOut(colour, choice.isFirst), "primary"));
  }

  tellChoice(verdict, words, ...more) {
    byId("puzzle-said").replaceChildren(element("p", {}, element("b", { textContent: `${verdict} ` }), words), ...more);
    byId("puzzle-said").querySelector("button")?.focus();
  }

  /** Tells the right choice; the puzzle counts as not solved. */
  async tell() {
    const { turn, game, puzzle } = this;
    const movers = await this.values();
    if (this.turn !== turn) return;
    this.result(false);
    const balance = verdictsOf(game, movers).find(({ pie }) => pie === puzzle.pie);
    this.tellChoice("Answer:", verdictOf(balance));
    byId("puzzle-answer").disabled = true;
  }

  result(solved) {
    note(this.game, this.puzzle, solved);
    byId("puzzle-words").textContent = progressWords(this.game, this.puzzles);
  }

  next(current = this.puzzle?.name) {
    const puzzle = nextOf(this.game, this.puzzles ?? [], current);
    if (puzzle) this.ways.open(puzzle.name);
    else this.ways.list();
  }

  // The game that follows.

  /** Plays the set-up out: `colour` moves first. */
  playOut(colour, isFirst) {
    const { puzzle: { name, board } } = this;
    const own = isFirst ? colour : OTHER[colour];
    this.ways.playOut(`${board} ${colour}`, OTHER[own]);
    this.play.setTask({ over: () => this.finished(own) });
    showTask(`Puzzle ${name}: win with ${nameOf(this.game, own)}.`, button("Give up", () => this.ended(false, "Given up: not solved.")));
  }

  /** The game that is played out is over. */
  finished(own) {
    const { turn, value } = this.play.answer;
    const won = value === (turn === own ? "win" : "loss");
    this.ended(won, won ? "Solved!" : value === "draw" ? "A draw: not solved." : "Lost: not solved.");
  }

  ended(won, words) {
    this.result(won);
    this.play.setTask(null);
    showTask(`${words} ${progressWords(this.game, this.puzzles)}`,
      button("Next puzzle", () => this.next(), "primary"),
      button("Try again", () => this.ways.open(this.puzzle.name)),
      button("Review the game", openReview));
    say(words);
  }

  /** Something else is shown; requests that are under way change nothing. */
  leave() {
    this.turn = null;
  }
}
