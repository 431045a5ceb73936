import type { Diagnostic } from "../../src/diagnostics/types.js";
import {
  generateConformance,
  generateClient,
  generateServer,
} from "./generate.js";

/** Output of all targets, by path. Throws if the document is refused. */
export function serialise(document: unknown): Record<string, string> {
  return Object.fromEntries(
    everyTarget(document).flatMap(({ files }) => [...files]),
  );
}

/** Diagnostics of all targets, each `code message`, sorted. */
export function findings(document: unknown): string[] {
  const found = everyTarget(document).flatMap(({ diagnostics }) => diagnostics);
  return found
    .map(({ code, message }: Diagnostic) => `${code} ${message}`)
    .sort();
}

function everyTarget(document: unknown): ReturnType<typeof generateClient>[] {
  return [generateClient, generateServer, generateConformance].map((generate) =>
    generate(document),
  );
}
