import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { generate } from "../../../src/index.js";
import { apiOf, write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

/** Files of the user's that no repository may change. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  "profile.sh": "# profile\n",
  "home/.bashrc": "# mine\n",
  "home/keys/id": "secret\n",
  "home/demo/v1/index.ts": "// elsewhere\n",
};

/** A cloned repository beside a folder of the user's. */
export interface Cloned {
  readonly cwd: string;
  readonly out: string;
  /** The folder of the user's. */
  readonly outside: string;
  /** Generates, and returns the codes of what was found. */
  run(): Promise<string[]>;
  /** What differs in the folder of the user's; empty where nothing does. */
  damage(): string[];
}

/** Makes the folders; `specs/demo.json` describes an API. */
export function cloned(root: string = temporaryFolder()): Cloned {
  const cwd = path.join(root, "clone");
  const outside = path.join(root, "user");
  write(outside, OUTSIDE);
  write(cwd, { "specs/demo.json": apiOf("demo") });
  mkdirSync(path.join(cwd, "out"));
  const before = picture(outside);
  return {
    cwd,
    out: path.join(cwd, "out"),
    outside,
    async run() {
      const options = { spec: "specs", out: "out", cwd };
      const { diagnostics } = await generate({
        ...options,
        runtime: "package",
      });
      return diagnostics
        .filter(({ severity }) => severity !== "info")
        .map(({ code }) => code);
    },
    damage: () => differences(before, picture(outside)),
  };
}

/** Everything of a folder that an attack could change. */
function picture(folder: string, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(path.join(folder, prefix))) {
    const relative = path.join(prefix, name);
    const file = path.join(folder, relative);
    const { mode, ino, nlink, size } = lstatSync(file);
    const isFolder = lstatSync(file).isDirectory();
    const text = isFolder ? "" : readFileSync(file, "latin1");
    found.set(relative, [mode, ino, isFolder ? 0 : nlink, size, text].join());
    if (!isFolder) continue;
    for (const [key, value] of picture(folder, relative)) found.set(key, value);
  }
  return found;
}

function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
}

/** Makes a link, and the folders above it. */
export function link(target: string, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(target, file);
}

/** Makes a pipe; whoever opens it waits for ever. */
export function pipe(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  spawnSync("mkfifo", [file]);
}
