import type { Answer, Question } from "./marquis.js";

/** A move that was played on a board. Preventing the event keeps the position. */
export interface Played {
  game: string;
  by: string;
  move: string;
  throw: number | null;
  before: string;
  position: string;
}

/** Answers a board's questions: `Marquis`, or `Engine` of `marquis-engine`. */
export interface Source {
  ask(game: string, position: string, options?: Question): Promise<Answer>;
}

export interface MarquisBoardEvents {
  move: CustomEvent<Played>;
  /** With `values` the first answer is from rules and tables, the second from a search. */
  answer: CustomEvent<Answer>;
  error: CustomEvent<Error>;
}

/**
 * `<marquis-board>`. Attributes:
 *
 * * `game`, `position`: as in requests of the service.
 * * `server`: the address of the service; `engine`: the address of the engine's `index.js` instead, empty if both
 *   packages are in one folder.
 * * `playable`: moves are played by click, drag or keys, and change `position`.
 * * `values`: values and the best move are shown; `budget`: milliseconds of search for them.
 * * `data-theme`: `light` or `dark`; without it as the system has it.
 */
export class MarquisBoard extends HTMLElement {
  game: string;
  position: string;
  source: Source | null;
  readonly answer: Answer | null;
  reload(): void;
  addEventListener<K extends keyof MarquisBoardEvents>(
    type: K,
    listener: (this: MarquisBoard, event: MarquisBoardEvents[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "marquis-board": MarquisBoard;
  }
}
