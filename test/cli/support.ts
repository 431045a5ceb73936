import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { description } from "../support/generate.js";
import { ROOT } from "../support/paths.js";
import { runResident } from "./resident.js";

/** Result of running the command. */
export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folder, variables and standard input of a command. */
interface GenOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly timeout?: number;
}

/** Environment of a command: the variables that it needs, and those of the test. */
function environment({ env }: GenOptions): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "", XDG_CACHE_HOME = "" } = process.env;
  return { PATH, HOME, XDG_CACHE_HOME, ...env };
}

/**
 * Runs the command. Commands of a test worker share a process, because starting one
 * for each takes most of the time; those with standard input have their own.
 */
export function gen(
  args: readonly string[],
  options: GenOptions = {},
): Finished {
  const { cwd = ROOT, input, timeout } = options;
  return input === undefined && timeout === undefined
    ? runResident({ args, cwd, env: environment(options) })
    : genProcess(args, options);
}

/** Runs the command in a process of its own, as a shell does. */
export function genProcess(
  args: readonly string[],
  options: GenOptions = {},
): Finished {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [path.join(ROOT, "bin/gen.js"), ...args],
    {
      cwd: options.cwd ?? ROOT,
      env: environment(options),
      input: options.input ?? "",
      timeout: options.timeout ?? 30_000,
      encoding: "utf8",
    },
  );
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Writes files by path below a folder. */
export function write(
  folder: string,
  files: Readonly<Record<string, string | object>>,
): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    const text =
      typeof content === "string" ? content : JSON.stringify(content, null, 2);
    writeFileSync(file, text);
  }
}

/** Document of an API with a few files; another revision changes all of them. */
export function apiOf(
  name: string,
  version = "v1",
  revision = "1",
): Record<string, unknown> {
  return description({
    name,
    version,
    resources: {
      things: resource(name, "things", revision),
      others: resource(name, "others", revision),
    },
    schemas: {
      Thing: {
        id: "Thing",
        type: "object",
        description: `Revision ${revision}.`,
        properties: { [`name${revision}`]: { type: "string" } },
      },
    },
  });
}

function resource(api: string, name: string, revision: string): object {
  return {
    methods: {
      get: {
        id: `${api}.${name}.get`,
        path: `${name}/r${revision}`,
        httpMethod: "GET",
        response: { $ref: "Thing" },
      },
    },
  };
}

/** Visible state of an entry of a folder. */
export interface Entry {
  readonly kind: "file" | "folder" | "link" | "other";
  /** Text of a file, target of a link. */
  readonly content: string;
  readonly inode: number;
  readonly modified: number;
}

/** Returns the entries of a folder by path, including folders. */
export function tree(root: string, prefix = ""): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const folder = path.join(root, prefix);
  for (const name of readdirSync(folder).sort()) {
    const relative = prefix === "" ? name : `${prefix}/${name}`;
    found.set(relative, entryOf(path.join(root, relative)));
    if (found.get(relative)!.kind !== "folder") continue;
    for (const [key, value] of tree(root, relative)) found.set(key, value);
  }
  return found;
}

/** Returns the state of an entry. */
export function entryOf(file: string): Entry {
  const stats = lstatSync(file);
  const kind = stats.isFile()
    ? "file"
    : stats.isDirectory()
      ? "folder"
      : stats.isSymbolicLink()
        ? "link"
        : "other";
  const content =
    kind === "file"
      ? readFileSync(file, "utf8")
      : kind === "link"
        ? readlinkSync(file)
        : "";
  return { kind, content, inode: stats.ino, modified: stats.mtimeMs };
}

/** Returns the texts of files by path. */
export function texts(root: string): Record<string, string> {
  const files = [...tree(root)].filter(([, { kind }]) => kind !== "folder");
  return Object.fromEntries(
    files.map(([name, entry]) => [name, entry.content]),
  );
}
