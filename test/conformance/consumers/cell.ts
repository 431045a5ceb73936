import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { write } from "../../cli/support.js";
import { ROOT } from "../../support/paths.js";

/** Forms of output: the suffixes of `--import-suffix`, and `--emit js`. */
export const FORMS = ["js", "ts", "none", "emit"] as const;
export type Form = (typeof FORMS)[number];

/** Folder of the tools' package, of the document and of the program. */
export const CONSUMERS = path.join(ROOT, "test/consumers");

/** Folder of the packages; `npm ci --prefix test/consumers` creates it. */
export const PACKAGES = path.join(CONSUMERS, "node_modules");

/** Files of a project by path. */
export type Files = Readonly<Record<string, string | object>>;

/** What a tool gets: the form, and a program that calls the mock at `rootUrl`. */
export interface Cell {
  readonly form: Form;
  readonly rootUrl: string;
  /** Text of exercise.ts with the imports of the form. */
  readonly program: string;
}

/** Tool that builds and runs a program. */
export interface Tool {
  readonly name: string;
  /** Package of test/consumers/package.json whose version the table has. */
  readonly package: string;
  /** Forms that work; the others must fail. */
  readonly works: readonly Form[];
  /** Settings that a project needs, and reasons for forms that do not work. */
  readonly notes: string;
  /** Files of the project, with config files. */
  readonly files: (cell: Cell) => Files;
  /** Commands in order; the last one prints "ok". */
  readonly commands: (cell: Cell) => readonly (readonly string[])[];
}

/** Suffix of imports of generated modules. */
export const suffix = (form: Form): string =>
  ({ js: ".js", ts: ".ts", none: "", emit: ".js" })[form];

/** Returns the version of a package in test/consumers/package.json. */
export function versionOf(name: string): string {
  const file = path.join(CONSUMERS, "package.json");
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(file, "utf8"),
  ) as Record<string, Record<string, string>>;
  const version = { ...dependencies, ...optionalDependencies }[name];
  if (version === undefined) throw new Error(`no package ${name}`);
  // An alias is `npm:name@version`.
  return version.split("@").at(-1)!;
}

/** Returns the path of a Node binary among the packages. */
export const nodeBinary = (major: 20 | 22 | 24): string =>
  path.join(PACKAGES, nodePackage(major), "bin/node");

/** Name of the package with a Node binary, which is for Linux on x64. */
export const nodePackage = (major: 20 | 22 | 24): string =>
  `node-${major}-linux-x64`;

/** Mock of the document on a free port. */
export interface Mock {
  readonly rootUrl: string;
  readonly close: () => Promise<void>;
}

const GEN = path.join(ROOT, "bin/gen.js");
const DOCUMENT = path.join(CONSUMERS, "drive.v3.json");

/** Starts `gen serve --mock`; rejects if it ends before it listens. */
export async function startMock(document = DOCUMENT): Promise<Mock> {
  const args = ["serve", "--mock", "--spec", document, "--port", "0"];
  const child = spawn(process.execPath, [GEN, ...args], { stdio: "pipe" });
  const ended = once(child, "exit");
  let output = "";
  child.stderr.on("data", (data) => (output += String(data)));
  const rootUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (data) => {
      output += String(data);
      const url = /listening on (\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(`${url}/`);
    });
    void ended.then(() => reject(new Error(output)));
  });
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { rootUrl, close };
}

/** Generates client and server in a project with the files of the tool; returns its folder. */
function createProject(tool: Tool, cell: Cell): string {
  const name = `${tool.name} ${cell.form}`.replace(/[^\w]+/g, "-");
  const cwd = path.join(CONSUMERS, "projects", name);
  rmSync(cwd, { recursive: true, force: true });
  write(cwd, {
    "package.json": { name: "consumer", private: true, type: "module" },
    ...tool.files(cell),
  });
  run(cwd, [
    process.execPath,
    GEN,
    "--quiet",
    "--spec",
    DOCUMENT,
    "--target",
    "client,server",
    ...(cell.form === "emit"
      ? ["--out", "generated", "--emit", "js"]
      : ["--out", "src/generated", "--import-suffix", cell.form]),
  ]);
  return cwd;
}

/** Runs a command; throws with its output if it fails. */
function run(cwd: string, [command, ...args]: readonly string[]): string {
  const { PATH = "", HOME = "" } = process.env;
  const bin = path.join(PACKAGES, ".bin");
  const { status, stdout, stderr, error } = spawnSync(command!, args, {
    cwd,
    encoding: "utf8",
    timeout: 240_000,
    env: {
      HOME,
      PATH: `${bin}${path.delimiter}${PATH}`,
      NEXT_TELEMETRY_DISABLED: "1",
      DENO_NO_UPDATE_CHECK: "1",
    },
  });
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/**
 * Builds the program in the form and runs it with the tool; returns what the
 * last command prints. Throws if a command fails.
 */
export function runCell(tool: Tool, form: Form, rootUrl: string): string {
  const program = readFileSync(path.join(CONSUMERS, "exercise.ts"), "utf8")
    .replaceAll(/(?<="\.\/generated\/[^"]*)\.js(?=")/g, suffix(form))
    .replaceAll('"./generated/', form === "emit" ? '"../generated/' : "$&");
  const cell = { form, rootUrl, program };
  const cwd = createProject(tool, cell);
  let output = "";
  for (const command of tool.commands(cell)) output = run(cwd, command);
  // A project that fails remains for inspection, until the next run of its cell.
  rmSync(cwd, { recursive: true, force: true });
  return output;
}

/** Reports if the tools are installed for this platform; prints the reason if not. */
export function areInstalled(): boolean {
  const installed =
    process.platform === "linux" &&
    process.arch === "x64" &&
    existsSync(nodeBinary(24));
  if (!installed)
    console.log(
      "not run: the packages of test/consumers, for Linux on x64, are not installed; run `npm ci --prefix test/consumers --ignore-scripts`",
    );
  return installed;
}
