// A game against Marquis: its side, its level, the clock, and the result.

import { button, byId, say, showBoard, showTask } from "./dom.js";
import { openReview } from "./review.js";
import { headline, nameOf, playersOf } from "./values.js";

/** The upper limit of the clock setting, in minutes. */
const MOST_MINUTES = 600;

export class Match {
  constructor(play) {
    this.play = play;
    byId("match-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  /** Starts a new game from the start position of the last one. */
  begin() {
    const { play } = this;
    const [first, second] = playersOf(play.game);
    const rival = byId("rival");
    if (!rival.value) rival.value = second;
    const seconds = 60 * Math.min(MOST_MINUTES, Math.max(0, Number(byId("minutes").value) || 0));
    const increment = Math.min(60, Math.max(0, Number(byId("increment").value) || 0));
    const marquis = `Marquis, level ${play.opponent.level}`;
    const players = [first, second].map((player) => (player === rival.value ? marquis : "Visitor"));
    const headers = [...play.headers.filter(([name]) => name === "Immobile"), ["First", players[0]], ["Second", players[1]]];
    if (seconds) headers.push(["TimeControl", `${seconds}+${increment}`]);
    byId("hints").checked = !byId("match-hide").checked;
    play.clock.clear();
    play.open(play.game, play.begun, { headers });
    if (seconds) play.clock.set(play.game, [first, second], seconds, increment);
    say(`A new game. You play ${nameOf(play.game, rival.value === first ? second : first)}.`);
    byId("match").open = false;
    play.board.focus(play.board.current ?? undefined);
  }

  /** A player's time is up: the opponent wins. */
  fell(player) {
    const { play } = this;
    const winner = playersOf(play.game).find((other) => other !== player);
    this.end(winner, "time forfeit");
    say(play.overByClock);
    play.draw();
    this.offerMore(play.overByClock);
  }

  /** The game is over by the rules; notes the result in the record. */
  settle(answer) {
    const { play } = this;
    play.clock.stop();
    if (!play.headers.some(([name]) => name === "First") || play.result) return;
    const won = "chance" in answer ? answer.chance > .5 : answer.value === "win";
    const rival = playersOf(play.game).find((other) => other !== answer.turn);
    this.end(answer.value === "draw" ? null : won ? answer.turn : rival, null);
    this.offerMore(headline(answer));
  }

  /** What may follow a finished match. */
  offerMore(words) {
    showTask(words, button("Review", openReview, "primary"), button("Rematch", () => this.rematch()), button("Analyse", () => this.analyse()));
    showBoard();
  }

  /** A new game with the sides exchanged. */
  rematch() {
    const rival = byId("rival");
    rival.value = playersOf(this.play.game).find((player) => player !== rival.value);
    this.begin();
  }

  /** Shows the values of the game that was played, and Marquis plays no more. */
  analyse() {
    showTask("");
    byId("rival").value = "";
    byId("hints").checked = true;
    this.play.draw();
  }

  /** Notes the winner (none for a draw), and the cause if the game did not end by the rules. */
  end(winner, termination) {
    const { play } = this;
    const [first] = playersOf(play.game);
    const result = winner === null ? "1/2-1/2" : winner === first ? "1-0" : "0-1";
    play.headers = [...withoutEnd(play.headers), ["Result", result], ...(termination ? [["Termination", termination]] : [])];
    play.opponent.rest();
    play.keep(true);
  }
}

/** Headers of an unfinished game. */
export const withoutEnd = (headers) => headers.filter(([name]) => name !== "Result" && name !== "Termination");
