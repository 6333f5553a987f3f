// The best line from a position, on demand, with playback.

import { ask } from "./api.js";
import { byId, trouble } from "./dom.js";

/** Milliseconds to compute a proved line. */
const BUDGET = 2000;
/** The number of moves shown. */
const SHOWN = 12;

export class BestLine {
  constructor(play) {
    this.play = play;
    const box = byId("line-box");
    box.addEventListener("toggle", () => this.load());
    box.querySelector("summary").addEventListener("click", () => { this.wanted = !box.open; });
    byId("line-play").addEventListener("click", () => this.through());
  }

  /** Shows the line of an answer: `answer.line` if it was requested, otherwise the principal variation. */
  draw(answer, shown) {
    const box = byId("line-box");
    box.hidden = !shown || Boolean(answer.over) || "chance" in answer;
    if (box.hidden) return;
    const line = (this.line = answer.line ?? answer.pv ?? []);
    byId("pv").textContent = line.length ? `Best line: ${line.slice(0, SHOWN).join(" ")}${line.length > SHOWN ? " …" : ""} (${depthOf(answer)})`
      : answer.line ? "No line is proved from here." : answer.value === "unknown" ? "No line has been searched yet." : "";
    byId("line-play").disabled = !line.length;
    // A line that is at hand is shown until the visitor chooses otherwise.
    box.open = this.wanted ?? line.length > 0;
    this.load();
  }

  /** Requests the line of a proved position, once and only when the box is open. */
  async load() {
    const { play } = this;
    const { answer } = play;
    if (!byId("line-box").open || byId("line-box").hidden || !answer || answer.line || answer.pv || answer.value === "unknown" || this.asked === answer) return;
    this.asked = answer;
    byId("pv").textContent = "Looking …";
    try {
      const found = await ask(play.game, play.position, BUDGET, undefined, { ...play.agreed, line: "true" });
      answer.line = found.line ?? [];
      if (play.answer === answer) play.draw();
    } catch (error) {
      trouble(error);
    }
  }

  /** Plays the line on the board; the moves already played stay as a variation. */
  through() {
    const { play } = this;
    byId("rival").value = "";
    play.instead(play.line, play.ply, this.line).catch(trouble);
  }
}

function depthOf({ line, depth, pv_exact_from: exact }) {
  if (line) return "proved";
  const seen = exact === null || exact === undefined ? "" : exact === 0 ? ", seen to its end" : `, seen to its end from ply ${exact} on`;
  return `${depth} plies deep${seen}`;
}
