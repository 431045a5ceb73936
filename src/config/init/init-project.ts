import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isObject, printJson } from "../../diagnostics/json.js";
import type { Sink } from "../../diagnostics/sink.js";
import { refuseStray } from "../../platform/output-path.js";
import { toPosix } from "../../platform/paths.js";
import { replaceFile } from "../../platform/replace-file.js";
import { parseApiName } from "../api-name.js";
import { EXTENSIONS } from "../find-config.js";
import type { ApiConfig } from "../gen-config.js";
import type { FormOptions } from "../output-form.js";

/**
 * Returns the name of an existing config file that prevents a new one from
 * being written: a config in a different format or, without `force`, a config
 * in the same format. Returns undefined if the new file can be written.
 */
export function existingConfig(
  cwd: string,
  format: InitSettings["format"],
  force: boolean,
): string | undefined {
  return EXTENSIONS.map((extension) => `gen.config.${extension}`)
    .filter((name) => !force || name !== `gen.config.${format}`)
    .find((name) => existsSync(path.join(cwd, name)));
}

/**
 * Writes a config file and, if requested, the npm script. Returns the names of
 * the changed files; reports the reason if a file is not written.
 */
export async function initProject(
  settings: InitSettings,
  { cwd, force }: { readonly cwd: string; readonly force: boolean },
  sink: Sink,
): Promise<string[]> {
  const existing = existingConfig(cwd, settings.format, force);
  if (existing !== undefined) {
    sink.report("init-exists", `the folder already contains ${existing}`);
    return [];
  }
  const name = `gen.config.${settings.format}`;
  const text = await configText(settings, cwd);
  try {
    refuseStray(path.join(cwd, name), cwd);
    replaceFile(path.join(cwd, name), text);
  } catch (error) {
    sink.report("output-unwritable", `${name}: ${(error as Error).message}`);
    return [];
  }
  const isAdded = settings.script && addNpmScript(cwd, sink);
  return isAdded ? [name, "package.json"] : [name];
}

/**
 * Path of the JSON Schema, relative to the folder that contains node_modules.
 */
const SCHEMA =
  "node_modules/discovery-codegen/generated/schemas/gen.config.schema.json";

/** Returns the text of a new config file in the working directory. */
export async function configText(
  { api, out, target, format, form, trustProse }: InitSettings,
  cwd: string,
): Promise<string> {
  const apis = apiEntries(api, cwd);
  const prose = trustProse ? { trustProse } : {};
  const config = { out, target, ...form, ...prose, apis };
  if (format === "json")
    return `${printJson({ $schema: schemaPath(cwd), ...config })}\n`;
  if (format === "ts") return typescriptText(config);
  const { yamlText } = await import("./yaml-text.js");
  return yamlText(config, schemaPath(cwd));
}

function typescriptText(config: object): string {
  const text = printJson(config)
    .replace(/^( *)"([A-Za-z]\w*)":/gm, "$1$2:")
    .replace(/target: \[[^[\]]*\]/, (list) => list.replace(/\s+/g, " "))
    .replace("[ ", "[")
    .replace(" ]", "]");
  return `import { defineConfig } from "discovery-codegen";\n\nexport default defineConfig(${text});\n`;
}

function apiEntries(
  api: readonly string[],
  cwd: string,
): Record<string, ApiConfig> {
  const entries = api.flatMap((text) => [apiEntry(text, cwd) ?? []]);
  return Object.fromEntries(entries as [string, ApiConfig][]);
}

/**
 * Returns the path of the JSON Schema. In a workspace, node_modules can be in a
 * parent folder.
 */
function schemaPath(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, SCHEMA))) {
      const parent = toPosix(path.relative(cwd, folder));
      return parent === "" ? `./${SCHEMA}` : `${parent}/${SCHEMA}`;
    }
    if (path.dirname(folder) === folder) return `./${SCHEMA}`;
  }
}

/**
 * Adds the script `generate` to package.json; returns true if it was added.
 * Reports a package.json that is missing, is invalid, or contains another
 * script of this name.
 */
function addNpmScript(cwd: string, sink: Sink): boolean {
  const file = path.join(cwd, "package.json");
  try {
    refuseStray(file, cwd);
    const text = readFileSync(file, "utf8");
    const value = JSON.parse(text) as unknown;
    if (!isObject(value))
      throw new Error("the file must contain a JSON object");
    const { scripts = {} } = value;
    if (!isObject(scripts)) throw new Error("scripts must be an object");
    if (scripts["generate"] === "gen") return false;
    if (Object.hasOwn(scripts, "generate"))
      throw new Error("a different script named generate already exists");
    const changed = { ...value, scripts: { ...scripts, generate: "gen" } };
    replaceFile(file, printLike(changed, text));
    return true;
  } catch (error) {
    const { message } = error as Error;
    sink.report("init-script", `package.json was not changed: ${message}`);
    return false;
  }
}

/** Formats JSON with the indentation and line endings of an existing text. */
function printLike(value: unknown, text: string): string {
  const [, indent = "  "] = /^\s*\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const end = text.endsWith("\n") ? "\n" : "";
  const printed = JSON.stringify(value, undefined, indent) + end;
  return text.includes("\r\n") ? printed.replaceAll("\n", "\r\n") : printed;
}

/** Formats of config files that `gen init` writes. */
export const FORMATS: readonly ["yaml", "json", "ts"] = ["yaml", "json", "ts"];

/** Settings of a new config. */
export interface InitSettings {
  /** APIs, each as `name:version` or as a file. */
  readonly api: readonly string[];
  readonly out: string;
  readonly target: readonly string[];
  readonly format: (typeof FORMATS)[number];
  /** Form of the output, if it is not the default. */
  readonly form: FormOptions;
  /** True if descriptions decide which properties are required or read-only. */
  readonly trustProse: boolean;
  /** True to add an npm script `generate` to package.json. */
  readonly script: boolean;
}

/**
 * Returns the label and entry of an API that is given as `name:version` or as a
 * file, folder or glob; undefined for other text.
 */
export function apiEntry(
  text: string,
  cwd: string,
): readonly [label: string, entry: ApiConfig] | undefined {
  const exists = text.trim() !== "" && existsSync(path.resolve(cwd, text));
  if (!exists && !text.includes("*"))
    return parseApiName(text)?.version === undefined ? undefined : [text, {}];
  return [labelOf(text), { source: toPosix(text) }];
}

/** Converts a file name to a label: `chat.v1.json` becomes `chat:v1`. */
function labelOf(file: string): string {
  const base = path.basename(path.resolve(file), ".json");
  const [, name, version] = /^(\w+)\.(v?\d\w*(?:\.\d+)*)$/.exec(base) ?? [];
  const label =
    version === undefined
      ? base.replace(/[^A-Za-z0-9_.-]+/g, "-").replace(/^[^A-Za-z]+/, "")
      : `${name}:${version}`;
  return parseApiName(label) === undefined ? "local" : label;
}
