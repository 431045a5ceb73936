import path from "node:path";
import { suggestion } from "../diagnostics/closest.js";
import { isObject } from "../diagnostics/json.js";
import type { Sink } from "../diagnostics/sink.js";
import { type Path, pointerOf } from "../diagnostics/types.js";
import { GlobError, MethodGlob } from "../model/method-glob.js";
import { readFileLimited } from "../platform/read-limited.js";
import { AddressError, parseAddress } from "./address.js";
import {
  COMMON_KEYS,
  FILE_KEYS,
  type KeyRow,
  type OperationKind,
  OPERATIONS,
} from "./operation-table.js";
import { type PatchFile, type PatchOperation, reportAt } from "./patch-file.js";
import { parseJson, PatchSyntaxError, type PatchText } from "./patch-text.js";
import { VALUE_TYPES } from "./value-types.js";

/** Maximum size of a patch file in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads patch files. Reports invalid files, and returns the others.
 * @param files paths of YAML or JSON files, relative to `cwd`
 * @param api name and version that all files must declare, such as `drive:v3`
 */
export async function readPatches(
  files: readonly string[],
  cwd: string,
  sink: Sink,
  api?: string,
): Promise<PatchFile[]> {
  const patches: PatchFile[] = [];
  for (const file of new Set(files)) {
    const patch = await readPatch(file, cwd, sink);
    if (patch === undefined) continue;
    if (api === undefined || patch.api === api) patches.push(patch);
    else
      reportAt(
        sink,
        "patch-invalid",
        `api must be ${JSON.stringify(api)}, found ${JSON.stringify(patch.api)}`,
        patch,
      );
  }
  return patches;
}

async function readPatch(
  file: string,
  cwd: string,
  sink: Sink,
): Promise<PatchFile | undefined> {
  const start = { file, line: 1, column: 1 };
  let text: string;
  try {
    text = decode(readFileLimited(path.resolve(cwd, file)));
  } catch (error) {
    reportAt(sink, "patch-unreadable", (error as Error).message, start);
    return undefined;
  }
  try {
    return parsePatch(file, await parseText(file, text), sink);
  } catch (error) {
    if (!(error instanceof PatchSyntaxError)) throw error;
    const position = { ...start, ...error.position };
    reportAt(sink, "patch-syntax", error.message, position);
    return undefined;
  }
}

async function parseText(file: string, text: string): Promise<PatchText> {
  if (file.toLowerCase().endsWith(".json")) return parseJson(text);
  const { parsePatchYaml } = await import("./yaml-text.js");
  return parsePatchYaml(text);
}

/** Decodes UTF-8 and removes a byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES)
    throw new Error(
      `a patch file must have at most ${MAX_BYTES} bytes, found ${bytes.length}`,
    );
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Maximum number of reported findings about a patch file. */
const MAX_FINDINGS = 20;

/**
 * Checks the content of a patch file. Reports every mistake, and returns
 * undefined if there are mistakes.
 */
export function parsePatch(
  file: string,
  text: PatchText,
  sink: Sink,
): PatchFile | undefined {
  return new PatchParser(file, text, sink).parse();
}

class PatchParser {
  readonly #file: string;
  readonly #text: PatchText;
  readonly #sink: Sink;
  #findings = 0;

  constructor(file: string, text: PatchText, sink: Sink) {
    this.#file = file;
    this.#text = text;
    this.#sink = sink;
  }

  parse(): PatchFile | undefined {
    const { value } = this.#text;
    if (!isObject(value)) {
      this.#report([], "a patch file must be an object with the key api");
      return undefined;
    }
    const { operations: list, ...header } = value;
    this.#checkKeys([], header, FILE_KEYS, "operations");
    const operations = this.#operations(list);
    const { api } = header;
    if (typeof api === "string" && !/^[^:]+:[^:]+$/.test(api))
      this.#report(["api"], `api must be NAME:VERSION, found ${show(api)}`);
    if (this.#findings > 0) return undefined;
    const position = this.#text.positionOf("/api");
    const file = { file: this.#file, ...position, operations };
    const { $schema: _schema, ...fields } = header;
    return { ...file, ...fields } as unknown as PatchFile;
  }

  #operations(list: unknown): PatchOperation[] {
    if (!Array.isArray(list)) {
      this.#report(["operations"], "operations must be a list of operations");
      return [];
    }
    return list.flatMap((value: unknown, index) => {
      const operation = this.#operation(value, ["operations", index]);
      return operation === undefined ? [] : [operation];
    });
  }

  #operation(value: unknown, path: Path): PatchOperation | undefined {
    const kinds = Object.keys(OPERATIONS);
    if (!isObject(value)) {
      this.#report(path, "an operation must be an object");
      return undefined;
    }
    const keys = Object.keys(value);
    const found = keys.filter((key) => kinds.includes(key));
    const [kind] = found as OperationKind[];
    if (kind === undefined || found.length > 1) {
      const hint = keys
        .map((key) => suggestion(key, kinds))
        .find((text) => text !== "");
      this.#report(
        path,
        `an operation must have exactly one of the keys ${kinds.join(", ")}${hint ?? ""}`,
      );
      return undefined;
    }
    const { [kind]: at, ...rest } = value;
    const rows = { ...OPERATIONS[kind].keys, ...COMMON_KEYS };
    this.#checkKeys(path, rest, rows, kind);
    this.#checkAddress([...path, kind], kind, at);
    if (typeof rest["to"] === "string" && rest["to"] === "")
      this.#report(
        [...path, "to"],
        "the value of the key `to` must not be empty",
      );
    const position = this.#text.positionOf(pointerOf([...path, kind]));
    return { kind, at, ...rest, ...position } as unknown as PatchOperation;
  }

  #checkAddress(path: Path, kind: OperationKind, at: unknown): void {
    if (typeof at !== "string") {
      this.#report(path, `${kind} must be an address, found ${show(at)}`);
      return;
    }
    try {
      if (kind === "scopes") new MethodGlob(at);
      else parseAddress(at);
    } catch (error) {
      const isExpected =
        error instanceof AddressError || error instanceof GlobError;
      if (!isExpected) throw error;
      this.#report(path, `${kind} ${show(at)} ${error.message}`);
    }
  }

  #checkKeys(
    path: Path,
    object: Readonly<Record<string, unknown>>,
    rows: Readonly<Record<string, KeyRow>>,
    other: string,
  ): void {
    for (const [key, value] of Object.entries(object)) {
      const row = Object.hasOwn(rows, key) ? rows[key] : undefined;
      if (row === undefined) {
        const hint = suggestion(key, [...Object.keys(rows), other]);
        this.#report([...path, key], `unknown key ${show(key)}${hint}`);
      } else if (!VALUE_TYPES[row.type].isValid(value))
        this.#report(
          [...path, key],
          `${key} must be ${VALUE_TYPES[row.type].title}, found ${show(value)}`,
        );
    }
    for (const [key, { isRequired }] of Object.entries(rows))
      if (isRequired === true && !Object.hasOwn(object, key))
        this.#report(path, `the key ${key} is missing`);
  }

  #report(path: Path, message: string): void {
    if (++this.#findings > MAX_FINDINGS) return;
    const position = this.#text.positionOf(pointerOf(path));
    const at = { file: this.#file, ...position };
    reportAt(this.#sink, "patch-invalid", message, at);
  }
}

/** Formats a value in at most 60 characters. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
