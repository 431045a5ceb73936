import { isAscii, isUtf8 } from "node:buffer";
import { positionAt } from "../diagnostics/locate.js";
import { syntaxErrorIn } from "../diagnostics/json-text.js";
import type { Sink } from "../diagnostics/sink.js";
import { catalogue } from "../diagnostics/catalogue.js";

/** JSON text without byte order mark, and the parsed value. */
export interface ParsedText {
  readonly text: string;
  readonly value: unknown;
}

/** Decodes and parses a document; reports failures and returns undefined. */
export function parseBytes(
  bytes: Buffer,
  file: string,
  sink: Sink,
): ParsedText | undefined {
  if (!isUtf8(bytes) || bytes.includes(0)) {
    sink.report("json-binary", `${file} must be UTF-8 text`);
    return undefined;
  }
  const text = decodeText(bytes);
  if (!/\S/.test(text)) {
    sink.report("json-empty", `${file} is empty`);
    return undefined;
  }
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch {
    reportSyntax(text, file, sink);
    return undefined;
  }
}

/** Decodes UTF-8 and removes a byte order mark. */
export function decodeText(bytes: Buffer): string {
  const raw = bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
  return raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw;
}

function reportSyntax(text: string, file: string, sink: Sink): void {
  const error = syntaxErrorIn(text);
  const { severity, cause, fix } = catalogue["json-syntax"];
  sink.diagnostics.push({
    code: "json-syntax",
    severity,
    message: `${file} is not JSON: ${error.message}`,
    cause,
    fix,
    file,
    ...positionAt(text, error.offset),
  });
}
