// Types of both packages: checked by `tsc --noEmit`.

import { Marquis, Refused, type Answer } from "marquis-client";
import type { MarquisBoard } from "marquis-client/board";
import { Engine } from "marquis-engine";

/** Asks the service, and the engine of this page if the service is busy. */
export async function ask(game: string, position: string): Promise<Answer> {
  try {
    return await new Marquis().ask(game, position, { budget_ms: 500 });
  } catch (error) {
    if (error instanceof Refused && error.status === 503) return new Engine().ask(game, position, { nodes: 10_000 });
    throw error;
  }
}

/** Shows the engine's values on a board, and logs what is played. */
export function follow(board: MarquisBoard): void {
  board.source = new Engine();
  board.addEventListener("move", ({ detail }) => console.log(detail.by, detail.move));
  board.addEventListener("answer", ({ detail }) => console.log(detail.value, detail.plies));
}
