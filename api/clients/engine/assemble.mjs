// Collects the WebAssembly and its bindings, and the types of answers: `node assemble.mjs [FOLDER]`.
//
// They go into `web` of the folder, by default this one. MARQUIS_WEB is the folder that `.ci/web` wrote. npm runs this
// before it packs the package or links the folder.

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const own = (place) => fileURLToPath(new URL(place, import.meta.url));
const built = process.env.MARQUIS_WEB ?? own("../../../target/release/web");
const folder = process.argv[2] ?? own(".");

if (!existsSync(`${built}/marquis_web_bg.wasm`)) {
  console.error(`${built} has no marquis_web_bg.wasm: run .ci/web, or set MARQUIS_WEB to the folder that it wrote`);
  process.exit(1);
}
mkdirSync(`${folder}/web`, { recursive: true });
for (const name of ["marquis_web.js", "marquis_web_bg.wasm"]) copyFileSync(`${built}/${name}`, `${folder}/web/${name}`);
copyFileSync(own("../javascript/marquis.d.ts"), `${folder}/web/marquis.d.ts`);
copyFileSync(own("../../../LICENSE"), `${folder}/LICENSE`);
