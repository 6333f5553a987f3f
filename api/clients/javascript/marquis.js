// Client of the Marquis service: proved answers about six abstract games, over HTTP.
//
// Needs nothing but `fetch`: a browser, Node 18, Deno or Bun. Types are in `marquis.d.ts`.
//
//     import { Marquis } from "./marquis.js";
//
//     const service = new Marquis("http://127.0.0.1:8017");
//     const answer = await service.ask("squish", "start:3", { budget_ms: 2000 });
//     console.log(answer.value, answer.moves[0].move);
//
// Every call resolves to what the service sends, or rejects with `Refused`, which has the problem document of RFC 9457.

/** The service refused, and says why. */
export class Refused extends Error {
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.name = "Refused";
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Under which name a job of each kind has what it found. */
const RESULTS = { balance: "result", review: "review", design: "design", solve: "answer", generate: "built" };

/** A service at an address. */
export class Marquis {
  constructor(address = "http://127.0.0.1:8017") {
    this.address = address.replace(/\/+$/, "");
  }

  /** Every game: variants, grammar, players, starts with the names of their cells. */
  async games() {
    return (await this.#get("/v1/games")).games;
  }

  /** What is known of a position and of its moves; a search within the budget where no table answers. */
  ask(game, position, options = {}) {
    const { play, ...rest } = options;
    return this.#get(`/v1/${encodeURIComponent(game)}`, { position, play: play?.join(" "), ...rest });
  }

  /** The move of a player of a level from 1 to 8, under `chosen` of the answer. */
  choose(game, position, level, options = {}) {
    return this.ask(game, position, { level, ...options });
  }

  /** An answer for each of up to 1000 positions; a problem stands in the place of a faulty one. */
  async askMany(game, positions, options = {}) {
    return (await this.#post(`/v1/${encodeURIComponent(game)}`, { positions, ...options })).answers;
  }

  /** The legal moves, without a search. */
  moves(game, position, options = {}) {
    return this.#get(`/v1/${encodeURIComponent(game)}/moves`, { position, ...options });
  }

  /** The chosen one among all images of a position: the same text for each of them. */
  async normal(game, position) {
    return (await this.#get(`/v1/${encodeURIComponent(game)}/normal`, { position })).normal;
  }

  /** How many positions there are after 1, 2, … `depth` plies; fewer counts where the time is up. */
  async perft(game, position, depth, options = {}) {
    return (await this.#get(`/v1/${encodeURIComponent(game)}/perft`, { position, depth, ...options })).leaves;
  }

  /**
   * What Player Two should do with a set-up; waits for the job where it takes longer than a request. `patience` is in
   * milliseconds: after it the job is cancelled.
   */
  async balance(game, board, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "balance", { board, ...options }, patience);
  }

  /** What is known of a position once it is solved, or once `limit_ms` has passed; waits for the job. */
  solve(game, position, { patience = 3_600_000, play, ...options } = {}) {
    return this.#work(game, "solve", { position, play: play?.join(" "), ...options }, patience);
  }

  /** Set-ups that are hard on Player Two, the hardest first under `designs`; waits for the job. */
  design(game, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "design", options, patience);
  }

  /** A game looked over, move by move; waits for the job. */
  review(game, record, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "review", { record, ...options }, patience);
  }

  /** Tables, where the operator allows it, or with `dry_run` the plan; waits for the job. */
  generate(game, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "generate", options, patience);
  }

  /** The file with a proof, at the address that a job or a design tells under `proof`. */
  async proof(href) {
    return new Uint8Array(await (await this.#open(href)).arrayBuffer());
  }

  /** What a job says until it is over: `[name, data]` of each event; the last one is the whole job. */
  async *events(id) {
    const reply = await this.#open(`/v1/jobs/${encodeURIComponent(id)}/events`);
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of reply.body) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const [, name, data] = block.match(/^event: (.*)\ndata: (.*)$/) ?? [];
        if (name) yield [name, JSON.parse(data)];
      }
    }
  }

  async #work(game, what, body, patience) {
    const found = await this.#post(`/v1/${encodeURIComponent(game)}/${what}`, { budget_ms: 1000, ...body });
    return "token" in found ? this.wait(found, patience) : found;
  }

  /** The game of a record, move by move with every position. */
  readRecord(game, record) {
    return this.#post(`/v1/${encodeURIComponent(game)}/record`, { record });
  }

  /** State and result of a job. */
  job(id) {
    return this.#get(`/v1/jobs/${encodeURIComponent(id)}`);
  }

  /** The jobs that were asked for with a token. */
  async jobs(token) {
    return (await this.#send("/v1/jobs", { headers: { "Job-Token": token } })).jobs;
  }

  /** Cancels a job with the token that came with it; one that is finished, or that others want, stays as it is. */
  cancel({ id, token }) {
    return this.#send(`/v1/jobs/${encodeURIComponent(id)}`, { method: "DELETE", headers: { "Job-Token": token } });
  }

  /** The result of a job, once there is one. */
  async wait(job, patience = 3_600_000) {
    const until = Date.now() + patience;
    const own = job;
    for (let ms = 50; job.state === "queued" || job.state === "running"; ms = Math.min(2 * ms, 2000)) {
      if (Date.now() > until) {
        if (own.token) await this.cancel(own);
        throw new Error(`no result after ${patience} ms`);
      }
      await pause(ms);
      job = await this.job(job.id);
    }
    const found = job[RESULTS[job.kind] ?? "result"] ?? null;
    if (found === null) {
      throw new Refused(200, job.problem ?? { detail: `the job is ${job.state}` });
    }
    return found;
  }

  /** The loaded tables: game, layer, positions, bytes, checksum. */
  async tables() {
    return (await this.#get("/v1/tables")).tables;
  }

  /** The bytes of a table from `begin` on. */
  async table(file, begin = 0) {
    const place = file.split("/").map(encodeURIComponent).join("/");
    const reply = await this.#open(`/v1/tables/${place}`, { headers: { Range: `bytes=${begin}-` } });
    return new Uint8Array(await reply.arrayBuffer());
  }

  /** The studies that the service shows: what is proved of each by now, and how far it is. */
  async studies() {
    return (await this.#get("/v1/studies")).studies;
  }

  /** A study with `tree`, the part of its tree in which most of its effort lies. */
  study(name) {
    return this.#get(`/v1/studies/${encodeURIComponent(name)}`);
  }

  #get(place, parameters = {}) {
    const said = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
    const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
    return this.#send(query ? `${place}?${query}` : place);
  }

  #post(place, body) {
    const headers = { "Content-Type": "application/json" };
    return this.#send(place, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #send(place, request) {
    return (await this.#open(place, request)).json();
  }

  async #open(place, request) {
    const reply = await fetch(this.address + place, request);
    if (reply.ok) {
      return reply;
    }
    const text = await reply.text();
    let problem = { detail: text };
    try {
      problem = JSON.parse(text);
    } catch {
      // What stands between may answer in its own words.
    }
    const later = reply.headers.get("Retry-After");
    throw new Refused(reply.status, problem, later === null ? undefined : Number(later));
  }
}
