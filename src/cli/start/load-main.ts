import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Script } from "node:vm";
import { readCode, writeCode } from "./code-cache.js";
import { codeFolder } from "./code-folder.js";

/** Name of the file in `dist/chunks` with the code of the command line. */
declare const MAIN_CHUNK: string;

/**
 * Hash of the file MAIN_CHUNK. It identifies the program, because V8 would also
 * accept stored code of another program of the same length.
 */
declare const MAIN_HASH: string;

/** Functions that load bundled modules and store their compiled code. */
export interface MainChunk {
  readonly require: NodeJS.Require;
  /**
   * Stores the compiled code, unless the loaded code already contains the given
   * parts, or `parts` is empty. Calls `prepare` before V8 creates the code.
   */
  readonly store: (parts: ReadonlySet<string>, prepare: () => void) => void;
}

/**
 * Executes the chunk that contains the command line, with compiled code of an
 * earlier run if available. Other chunks that require this chunk receive the same
 * instance.
 */
export function loadMain(): MainChunk {
  // The path must be the real path, because it is a key of require.cache.
  const file = createRequire(__filename).resolve(`./chunks/${MAIN_CHUNK}`);
  const cache = codeFolder(process.env);
  const cached = cache === undefined ? undefined : readCode(cache, MAIN_HASH);
  const script = new Script(functionOf(readFileSync(file, "latin1")), {
    filename: file,
    cachedData: cached?.data,
  });
  const require = createRequire(file);
  const module = { exports: {} };
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  require.cache[file] = Object.assign(module, {
    id: file,
    filename: file,
    loaded: true,
  }) as NodeJS.Module;
  run(module.exports, require, module, file, path.dirname(file));
  const known =
    script.cachedDataRejected === false ? (cached?.parts ?? []) : [];
  const store: MainChunk["store"] = (parts, prepare) => {
    const all = new Set([...known, ...parts]);
    const isNew = parts.size > 0 && all.size > known.length;
    if (cache === undefined || !isNew) return;
    prepare();
    const data = script.createCachedData();
    writeCode(cache, MAIN_HASH, { data, parts: [...all] });
  };
  return { require, store };
}

/** Wraps the source of a CommonJS module in a function, as `require` does. */
function functionOf(text: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
}
