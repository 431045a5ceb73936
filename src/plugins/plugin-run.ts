import path from "node:path";
import { statSync, type Stats } from "node:fs";
import { runWithFindings, type RunConfigOptions } from "../config/api.js";
import { loadConfig, type ConfigResult } from "../config/load-config.js";
import { visible } from "../diagnostics/invisible.js";
import { catalogue } from "../diagnostics/catalogue.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { listSources } from "../load/sources.js";

/** Name of the plugins in messages of bundlers. */
export const PLUGIN_NAME = "discovery-codegen";

/**
 * Maximum number of attempts in one run. The output is generated again if
 * inputs changed during an attempt.
 */
const MAX_ATTEMPTS = 5;

/** Finding in the form that all bundler plugins use. */
export interface PluginMessage {
  /** Text with position, code, message and fix. */
  readonly text: string;
  readonly code: string;
  readonly isError: boolean;
  /** Absolute path; absent for findings without a file. */
  readonly file?: string;
  /** Line number, starting at 1. */
  readonly line?: number;
  /** Column number, starting at 0 as in bundlers. */
  readonly column?: number;
}

/** Errors and warnings of a run. */
export type PluginMessages = readonly PluginMessage[];

/**
 * Generates output for a bundler plugin. Each run reads the config again. A run
 * that is requested while another one is in progress starts after it.
 */
export class PluginRun {
  readonly #options: PluginOptions;
  #inputs: PluginInputs = { files: [], folders: [] };
  #isOutdated = true;
  #last: Promise<PluginMessages> = Promise.resolve([]);
  #cwd: string;
  /** Sizes and modification times of the inputs before the last run. */
  #signature = "";

  constructor(options: PluginOptions = {}) {
    this.#options = options;
    this.#cwd = path.resolve(options.cwd ?? process.cwd());
  }

  /** Returns the files and folders to watch after a run. */
  get inputs(): PluginInputs {
    return this.#inputs;
  }

  /**
   * Sets the folder against which relative paths are resolved, unless the
   * options set it.
   */
  useFolder(folder: string): void {
    this.#cwd = path.resolve(this.#options.cwd ?? folder);
  }

  /** Marks the output as outdated if a changed path is an input. */
  change(name: string): boolean {
    const isChanged = isInput(this.#inputs, name);
    if (isChanged) this.#isOutdated = true;
    return isChanged;
  }

  /**
   * Returns true if an input changed since the last run. The next run then
   * generates the output.
   */
  checkInputs(): boolean {
    const isChanged = this.#signature !== signatureOf(this.#inputs);
    if (isChanged) this.#isOutdated = true;
    return isChanged;
  }

  /**
   * Forces the next run to generate the output, for bundlers that do not report
   * which files changed.
   */
  invalidate(): void {
    this.#isOutdated = true;
  }

  /**
   * Generates the output if an input changed since the last run, or if the last
   * run had errors. Returns the errors and warnings.
   */
  run(): Promise<PluginMessages> {
    this.#last = this.#last.then((messages) =>
      this.#isOutdated ? this.#generate() : messages,
    );
    return this.#last;
  }

  /**
   * Generates the output again if inputs changed during the run, because
   * bundlers ignore a change that follows another change too quickly.
   */
  async #generate(): Promise<PluginMessages> {
    for (let attempt = 1; ; attempt++) {
      const messages = await this.#attempt();
      const isChanged = this.#signature !== signatureOf(this.#inputs);
      if (isChanged && attempt < MAX_ATTEMPTS) continue;
      this.#isOutdated = isChanged || messages.some(({ isError }) => isError);
      return messages;
    }
  }

  async #attempt(): Promise<PluginMessages> {
    const options = { ...this.#options, cwd: this.#cwd };
    try {
      this.#inputs = await this.#listInputs();
      this.#signature = signatureOf(this.#inputs);
      const { diagnostics, changed } = await runWithFindings(options, false);
      const findings =
        options.check === true && changed
          ? [...diagnostics, drift()]
          : diagnostics;
      return findings
        .filter(({ severity }) => severity !== "info")
        .map((finding) => messageOf(finding, this.#cwd));
    } catch (error) {
      return [{ text: textOf(error), code: "internal", isError: true }];
    }
  }

  /**
   * Lists the inputs. If the config is invalid, the inputs of the last run are
   * included.
   */
  async #listInputs(): Promise<PluginInputs> {
    const { config, api: apis } = this.#options;
    const cwd = this.#cwd;
    const loaded = await loadConfig({ config, apis, cwd });
    const { files, folders } = await listInputs(loaded, cwd);
    if (loaded.resolved !== undefined) return { files, folders };
    const before = this.#inputs;
    return {
      files: [...new Set([...before.files, ...files])],
      folders: before.folders,
    };
  }
}

/**
 * Returns the errors of a build as a single message; undefined if there are no
 * errors.
 */
export function failureOf(messages: PluginMessages): PluginMessage | undefined {
  const errors = messages.filter(({ isError }) => isError);
  const [first] = errors;
  return first === undefined
    ? undefined
    : { ...first, text: errors.map(({ text }) => text).join("\n") };
}

function drift(): Diagnostic {
  const { severity, cause, fix } = catalogue["output-drift"];
  return {
    code: "output-drift",
    severity,
    message: cause.replace(/\.$/, ""),
    fix,
  };
}

function messageOf(finding: Diagnostic, cwd: string): PluginMessage {
  const { code, severity, message, file, line, column = 1, fix } = finding;
  const position =
    file === undefined
      ? ""
      : line === undefined
        ? `${file}: `
        : `${file}:${line}:${column}: `;
  const advice = fix === undefined ? "" : `. ${fix}`;
  return {
    text: visible(`${position}${code}: ${message}${advice}`),
    code,
    isError: severity === "error",
    ...(file === undefined || file === "-"
      ? {}
      : { file: path.resolve(cwd, file) }),
    ...(line === undefined ? {} : { line, column: column - 1 }),
  };
}

function textOf(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}

/** Absolute paths of the files and folders that the generator reads. */
export interface PluginInputs {
  readonly files: readonly string[];
  /** Folders in which new files are treated as documents or templates. */
  readonly folders: readonly string[];
}

/** Lists the inputs of a config, including the config file. */
export async function listInputs(
  { file, resolved }: ConfigResult,
  cwd: string,
): Promise<PluginInputs> {
  const files = new Set<string>(file === undefined ? [] : [file]);
  const folders = new Set<string>();
  for (const job of resolved?.jobs ?? []) {
    const { templates } = job.options;
    if (templates !== undefined) folders.add(path.resolve(cwd, templates));
    const specs = job.apis.map((api) => api.file);
    for (const name of [...specs, ...job.apis.flatMap((api) => api.patches)])
      addInput(path.resolve(cwd, name), files, folders);
    const { sources } = await listSources(specs, cwd);
    for (const source of sources)
      if (source.path !== undefined) files.add(source.path);
  }
  return { files: [...files], folders: [...folders] };
}

/**
 * Adds a path to the inputs. For a glob, adds the folder that contains all
 * matching files.
 */
function addInput(
  name: string,
  files: Set<string>,
  folders: Set<string>,
): void {
  if (isFolder(name)) folders.add(name);
  else if (!/[*?[\]{}]/.test(name) || statOf(name) !== undefined)
    files.add(name);
  else folders.add(path.dirname(name.replace(/[*?[\]{}].*$/s, "x")));
}

/** Returns true if a path is an input or is inside an input folder. */
export function isInput(
  { files, folders }: PluginInputs,
  name: string,
): boolean {
  const file = path.resolve(name);
  return (
    files.includes(file) ||
    folders.some(
      (folder) => file === folder || file.startsWith(folder + path.sep),
    )
  );
}

/**
 * Returns a string with the sizes and modification times of the input files.
 */
export function signatureOf({ files }: PluginInputs): string {
  const states = files.map((file) => {
    const stats = statOf(file);
    return [file, stats?.size, stats?.mtimeMs];
  });
  return JSON.stringify(states);
}

function isFolder(file: string): boolean {
  return statOf(file)?.isDirectory() === true;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Options of the bundler plugins. */
export type PluginOptions = Omit<RunConfigOptions, "force">;
