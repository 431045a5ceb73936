import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../support/paths.js";
import {
  generateServer,
  type GeneratedServer,
} from "../unit/server/generated.js";
import { CORPUS } from "./support.js";

/** Generates the server of a corpus document. */
export function corpusServer(name: string): GeneratedServer {
  return generateServer(
    readFileSync(path.join(CORPUS, `${name}.json`), "utf8"),
  );
}

/** Writes servers below a folder, with the runtime that they import. */
export function writeServers(
  out: string,
  servers: readonly GeneratedServer[],
): void {
  for (const { files } of servers) {
    for (const [name, text] of files) {
      const file = path.join(out, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  for (const module of ["server", "validator", "client/types.ts"]) {
    const target = path.join(out, "runtime", module);
    cpSync(path.join(ROOT, "src/runtime", module), target, { recursive: true });
  }
}
