import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../../diagnostics/json.js";
import type { Sink } from "../../diagnostics/sink.js";
import { refuseStray } from "../../platform/output-path.js";
import { replaceFile } from "../../platform/replace-file.js";

/**
 * Adds the script `generate` to package.json; returns true if it was added.
 * Reports a package.json that is missing, is invalid, or contains another
 * script of this name.
 */
export function addNpmScript(cwd: string, sink: Sink): boolean {
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
