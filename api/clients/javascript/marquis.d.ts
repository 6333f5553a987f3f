/** For the player to move, or for the player who makes a move. */
export type Value = "win" | "draw" | "loss" | "unknown";

/** Chances of the player to move; they sum to one. */
export interface Wdl {
  win: number;
  draw: number;
  loss: number;
}

/** The value of a position or move, as far as it is known. */
export interface Verdict {
  value: Value;
  plies: number | null;
  bounds: [Value, Value];
  proof: string;
  estimate?: number;
  wdl?: Wdl;
  source?: "exact" | "estimate";
}

/** A move, with its value for the player who makes it. */
export interface Move extends Verdict {
  move: string;
  position: string;
  delta: number | null;
}

/** The answer about a position of a game without throws; moves are best first. Senet has `chance` and `throws`. */
export interface Answer extends Verdict {
  game: string;
  position: string;
  turn: string;
  over: string | null;
  moves: Move[];
  depth?: number;
  nodes?: number;
  pv?: string[];
  ended?: string;
  chosen?: { move: string; throw?: number; position: string };
  [more: string]: unknown;
}

/** A position with its legal moves. */
export interface Legal {
  game: string;
  position: string;
  turn: string;
  over: string | null;
  moves: { throw?: number; move: string; position: string }[];
  /** Set if the request has `from`: why the piece there cannot move, or not to `to`; null if it can. */
  why_not: string | null;
}

/** A game, as described to programs. */
export interface Game {
  id: string;
  variants: string;
  grammar: string;
  players: { letter: string; colour: string }[];
  throws: boolean;
  set_ups: boolean;
  immobile: boolean;
  rules: string;
  starts: { name: string; position: string; usual: boolean; cells: string[][] }[];
}

/** Work that continues after its request. */
export interface Job {
  id: string;
  kind: "balance" | "review" | "design" | "solve" | "generate";
  state: "queued" | "running" | "done" | "cancelled" | "failed";
  progress: { state: string; phase: string | null; nodes: number; seconds: number };
  result: Record<string, unknown> | null;
  problem: Problem | null;
  /** The token that cancels it; only the requesting client receives it. */
  token?: string;
  [more: string]: unknown;
}

/** A problem document of RFC 9457; `place`, `expected` and `found` locate the error in a request. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  place?: string;
  expected?: string;
  found?: string;
}

/** A loaded table. */
export interface Table {
  game: string;
  variant: string;
  layer: string;
  file: string;
  /** The address of its folder, if remote. */
  address?: string;
  positions: number;
  bytes: number;
  checksum: string;
  [more: string]: unknown;
}

/** Options for a position. */
export interface Question {
  budget_ms?: number;
  play?: string[];
  throw?: number;
  line?: boolean;
  immobile?: "loss" | "pass";
}

/** Options for a set-up; `patience` in milliseconds. */
export interface SetUp {
  bait?: number;
  pie?: "marquisian" | "bait";
  target?: number;
  immobile?: "loss" | "pass";
  both?: boolean;
  patience?: number;
}

/** Options for every job; `patience` in milliseconds, after which it is cancelled. */
export interface Work {
  patience?: number;
  /** Time limit in milliseconds; time in the queue is not counted. */
  limit_ms?: number;
  /** Whether it continues when no client is listening. */
  go_on?: boolean;
}

/** Options to solve a position. */
export interface Solve extends Work {
  play?: string[];
  throw?: number;
  immobile?: "loss" | "pass";
  nodes?: number;
}

/** The kind of set-ups to search for, and the effort. */
export interface Design extends Work {
  side?: number;
  rooks?: number;
  beads?: number;
  max_rooks?: number;
  max_beads?: number;
  /** A board to start from. */
  from?: string;
  change?: number;
  harder_than?: number;
  easier_than?: number;
  layout?: "random" | "point-symmetric";
  pie?: "marquisian" | "bait";
  seed?: number;
  tries?: number;
  keep?: number;
  set_up_ms?: number;
  nodes?: number;
}

/** The set-ups found, hardest first. */
export interface Designs {
  game: string;
  tried: number;
  complete: boolean;
  designs: {
    number: number;
    board: string;
    score: number;
    balance: Record<string, unknown>;
    proof?: { href: string; bytes: number };
    proved: boolean;
  }[];
}

/** Options for a review. */
export interface Review extends Work {
  move_ms?: number;
  nodes?: number;
}

/** The tables to generate; with `dry_run` only the plan is returned. */
export interface Build extends Work {
  side?: number;
  pieces?: string;
  beads?: number;
  from?: string;
  immobile?: "loss" | "pass";
  bytes?: 2 | 4;
  dry_run?: boolean;
}

/** The service refused the request; the message is the reason. */
export class Refused extends Error {
  constructor(status: number, problem: Problem, retryAfter?: number);
  readonly status: number;
  readonly problem: Problem;
  /** Seconds after which to retry the request. */
  readonly retryAfter?: number;
}

/** A service at an address. */
export class Marquis {
  constructor(address?: string);
  readonly address: string;
  games(): Promise<Game[]>;
  ask(game: string, position: string, options?: Question): Promise<Answer>;
  choose(
    game: string,
    position: string,
    level: number,
    options?: Question & { seed?: number },
  ): Promise<Answer>;
  askMany(
    game: string,
    positions: string[],
    options?: { moves?: boolean; budget_ms?: number; throw?: number },
  ): Promise<(Answer | { problem: Problem })[]>;
  moves(game: string, position: string, options?: { throw?: number; play?: string; from?: string; to?: string }): Promise<Legal>;
  normal(game: string, position: string): Promise<string>;
  perft(game: string, position: string, depth: number, options?: { play?: string; budget_ms?: number }): Promise<number[]>;
  balance(game: string, board: string, options?: SetUp): Promise<Record<string, unknown>>;
  solve(game: string, position: string, options?: Solve): Promise<Answer>;
  design(game: string, options?: Design): Promise<Designs>;
  review(game: string, record: string, options?: Review): Promise<Record<string, unknown>>;
  generate(game: string, options?: Build): Promise<Record<string, unknown>>;
  proof(href: string): Promise<Uint8Array>;
  events(id: string): AsyncGenerator<[name: string, data: Record<string, unknown>]>;
  readRecord(game: string, record: string): Promise<Record<string, unknown>>;
  job(id: string): Promise<Job>;
  jobs(token: string): Promise<Job[]>;
  cancel(job: { id: string; token: string }): Promise<Job>;
  wait(job: Job, patience?: number): Promise<Record<string, unknown>>;
  tables(): Promise<Table[]>;
  table(file: string, begin?: number): Promise<Uint8Array>;
  studies(): Promise<Record<string, unknown>[]>;
  study(name: string): Promise<Record<string, unknown>>;
}
