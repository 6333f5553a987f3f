// The best moves of a position: `node ask.mjs [ADDRESS]`, with `marquis serve` running.

import { Marquis } from "marquis-client";

const service = new Marquis(process.argv[2]);
const { value, plies, moves } = await service.ask("squish", "start:3", { budget_ms: 2000 });
console.log(`The player to move has a ${value} in ${plies} plies:`);
for (const move of moves.slice(0, 3)) console.log(move.move, move.value, move.plies);
