// The record of the game on the page: paste, copy, save as a file, drop.

import { byId, trouble } from "./dom.js";
import { gameIn, readFile, textOf } from "./record.js";

export class RecordBox {
  /** * `open(game, text)`: opens a record of this game; without a name, of the current game. */
  constructor(play, open) {
    this.play = play;
    this.open = open;
    const field = byId("record");
    field.addEventListener("input", () => { this.typed = true; });
    play.onLine = () => this.draw();
    byId("record-read").addEventListener("click", () => this.read(field.value));
    byId("record-copy").addEventListener("click", (event) => this.copy(event.currentTarget));
    byId("record-save").addEventListener("click", () => this.save());
    byId("record-file").addEventListener("change", (event) => this.take(event.target.files));
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      this.take(event.dataTransfer.files);
    });
  }

  /** Shows the game, unless the user is typing there. */
  draw() {
    if (!this.typed) byId("record").value = this.play.record();
  }

  async take([file]) {
    if (!file) return;
    try {
      const text = await readFile(file);
      byId("record-box").open = true;
      byId("record").value = text;
      this.typed = true;
      await this.read(text);
    } catch (error) {
      trouble(error);
    }
  }

  /** Opens the text; a bare list of moves belongs to the current game. An invalid text stays for correction. */
  async read(text) {
    const { play } = this;
    const whole = /^\s*\[/.test(text) ? text : `${textOf({ ...play, line: [], variations: [] })} ${text}`;
    try {
      if (!text.trim()) throw new Error("Nothing to read: paste a record, or moves of this game.");
      await this.open(gameIn(whole), whole);
      this.typed = false;
      this.draw();
    } catch (error) {
      trouble(error);
    }
  }

  async copy(button) {
    const label = button.textContent;
    const field = byId("record");
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      field.select();
      button.textContent = "Copy the marked text";
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  }

  save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([byId("record").value], { type: "text/plain" }));
    link.download = `${this.play.game}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
