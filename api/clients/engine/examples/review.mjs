// A reviewed game and a balanced set-up, without a service: `node review.mjs`.

import { Engine } from "marquis-engine";

const engine = new Engine();
const SIGNS = { great: "!", inaccuracy: "?!", mistake: "?", blunder: "??" };
const review = await engine.review("squish", '[Position "start:3"] 1. c4-c3 b3xc3 *', { nodes: 100000 });
for (const { ply, move, mark, better } of review.moves) {
  console.log(`${ply}. ${move}${SIGNS[mark] ?? ""}${better.length ? `, better ${better[0]}` : ""}`);
}
const { player_two: best, balanced } = await engine.balance("swish", "w1w/4/1ooo1/4/b1b");
console.log(balanced ? "The set-up is balanced." : `Player Two has a ${best.value} by ${best.choice}${best.colour ? ` ${best.colour}` : ""}.`);
