import type { Answer, Legal, Question } from "./web/marquis.js";

/** Options for a position; with `nodes`, the answer is the same on every machine. */
export interface Asked extends Question {
  nodes?: number;
}

/** The engine: rules, evaluation and search, without tables. It is loaded by the first question. */
export class Engine {
  ask(game: string, position: string, options?: Asked): Promise<Answer>;
  choose(game: string, position: string, level: number, options?: Asked & { seed?: number }): Promise<Answer>;
  moves(game: string, position: string, options?: { throw?: number; play?: string; from?: string; to?: string }): Promise<Legal>;
  readRecord(game: string, record: string): Promise<Record<string, unknown>>;
  close(): void;
}
