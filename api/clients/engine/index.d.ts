import type { Answer, Legal, Question, SetUp } from "./web/marquis.js";

/** Options for a position; with `nodes`, the answer is the same on every machine. */
export interface Asked extends Question {
  nodes?: number;
}

/** Receives the events before the answer of a long question. */
export type Tell = (event: string, data: Record<string, unknown>) => void;

/** Options for a set-up; without a limit a hard one takes hours. */
export interface Weighed extends Omit<SetUp, "patience"> {
  limit_ms?: number;
  nodes?: number;
}

/** The engine: rules, evaluation and search, without tables. It is loaded by the first question. */
export class Engine {
  ask(game: string, position: string, options?: Asked): Promise<Answer>;
  choose(game: string, position: string, level: number, options?: Asked & { seed?: number }): Promise<Answer>;
  moves(game: string, position: string, options?: { throw?: number; play?: string; from?: string; to?: string }): Promise<Legal>;
  review(game: string, record: string, options?: { move_ms?: number; nodes?: number }, tell?: Tell): Promise<Record<string, unknown>>;
  balance(game: string, board: string, options?: Weighed, tell?: Tell): Promise<Record<string, unknown>>;
  readRecord(game: string, record: string): Promise<Record<string, unknown>>;
  close(): void;
}
