import type { Diagnostic } from "../types.js";
import { visible } from "./output.js";

/** Formats a finding as a workflow command of GitHub Actions, which annotates the file. */
export function annotation(found: Diagnostic): string {
  const kind = found.severity === "info" ? "notice" : found.severity;
  const properties = [
    ...(found.file === undefined ? [] : [`file=${property(found.file)}`]),
    ...(found.line === undefined
      ? []
      : [`line=${found.line}`, `col=${found.column ?? 1}`]),
    `title=${property(found.code)}`,
  ];
  const text = escape(`${found.message}. ${found.fix ?? ""}`);
  return `::${kind} ${properties.join(",")}::${text}\n`;
}

function escape(text: string): string {
  return visible(text).replace(/%/g, "%25");
}

function property(text: string): string {
  return escape(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}
