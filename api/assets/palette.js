// Pieces to place on an edited board: selected by mouse, touch or arrow keys, or dragged onto the board.

import { drawnPiece, svg } from "./board.js";
import { element } from "./dom.js";

/** Pixels a pointer must move to start a drag. */
const FAR = 8;

export class Palette {
  /**
   * * `place`: the radio group.
   * * `put(id, letter)`: a piece was dragged onto a cell.
   */
  constructor(place, put) {
    this.place = place;
    this.put = put;
    place.addEventListener("keydown", (event) => this.pressed(event));
    place.addEventListener("pointerdown", (event) => this.grabbed(event));
    // A mouse leaves the list with its first step.
    document.addEventListener("pointermove", (event) => this.moved(event));
    document.addEventListener("pointerup", (event) => this.released(event));
    document.addEventListener("pointercancel", () => this.letGo());
  }

  /** * `tools`: `{ letter, name, piece }`; the last one removes pieces. */
  show(tools) {
    this.tools = tools;
    this.place.replaceChildren(...tools.map(({ letter, name, piece }) => element("button", {
      type: "button", role: "radio", "data-piece": letter, onclick: () => this.choose(letter),
    }, piece ? icon(piece) : null, name)));
    this.choose(tools.some(({ letter }) => letter === this.letter) ? this.letter : tools[0].letter);
  }

  choose(letter) {
    this.letter = letter;
    for (const button of this.place.children) {
      const chosen = button.dataset.piece === letter;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
    }
  }

  /** As radio buttons: arrow keys select and focus the next one. */
  pressed(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = this.tools.findIndex(({ letter }) => letter === this.letter);
    const next = (at + step + this.tools.length) % this.tools.length;
    this.choose(this.tools[next].letter);
    this.place.children[next].focus();
  }

  grabbed(event) {
    const button = event.target.closest("[data-piece]");
    if (event.button !== 0 || !button) return;
    this.drag = { letter: button.dataset.piece, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  moved(event) {
    const { drag } = this;
    if (!drag || drag.pointer !== event.pointerId) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.ghost) {
      this.choose(drag.letter);
      const { piece } = this.tools.find(({ letter }) => letter === drag.letter);
      drag.ghost = element("div", { className: "ghost" }, piece ? icon(piece) : "×");
      document.body.append(drag.ghost);
    }
    drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  }

  released(event) {
    const { drag } = this;
    this.letGo();
    if (!drag?.ghost) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]")?.dataset.cell;
    if (under) this.put(under, drag.letter);
  }

  letGo() {
    this.drag?.ghost?.remove();
    this.drag = null;
  }
}

/** A piece as a small picture. */
function icon(piece) {
  return svg("svg", { class: "icon", viewBox: "-.7 -.7 1.4 1.4", "aria-hidden": "true" }, drawnPiece(piece));
}
