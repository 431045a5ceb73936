import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { readFileLimited } from "../platform/read-limited.js";
import { parsePatch } from "./parse-patch.js";
import { reportAt, type PatchFile } from "./patch-file.js";
import { parseJson, PatchSyntaxError, type PatchText } from "./patch-text.js";

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
  const { parseYaml } = await import("./yaml-text.js");
  return parseYaml(text);
}

/** Decodes UTF-8 and removes a byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES)
    throw new Error(
      `a patch file must have at most ${MAX_BYTES} bytes, found ${bytes.length}`,
    );
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
