import path from "node:path";
import type { Code } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import { compare, type ScaffoldIssue } from "./compare.js";
import { applyAdditions } from "./edit.js";
import type { ModuleSpecifiers } from "./module.js";
import { servicesIn } from "./service.js";
import { parse, syntaxError } from "./source.js";
import { handlerPaths, type ServiceMember } from "./tree.js";

/**
 * File that contains a service implementation, and the members that the
 * implementation must have.
 */
interface Update {
  readonly file: string;
  readonly before: Buffer;
  /**
   * Name of the API for use in identifiers, such as `Drive` in `DriveService`.
   */
  readonly title: string;
  readonly members: readonly ServiceMember[];
  readonly modules: ModuleSpecifiers;
}

const BOM = "\uFEFF";

/**
 * Adds missing handlers to a file. If that is not possible, reports a
 * diagnostic and returns undefined.
 */
export function update(
  { file, before, title, members, modules }: Update,
  sink: Sink,
): { readonly after: Buffer; readonly added: readonly string[] } | undefined {
  const content = before.toString("utf8");
  if (!Buffer.from(content).equals(before)) {
    sink.report("scaffold-syntax", "the file must be encoded in UTF-8");
    return undefined;
  }
  const bom = content.startsWith(BOM) ? BOM : "";
  const text = content.slice(bom.length);
  const error = syntaxError(file, text);
  if (error !== undefined) {
    const position = positionOf(text, error.offset);
    sink.report("scaffold-syntax", `${error.message} (${position})`);
    return undefined;
  }
  const source = parse(file, text);
  const services = servicesIn(source, title);
  const [service] = services;
  if (service === undefined || services.length > 1) {
    const code: Code =
      service === undefined
        ? "scaffold-no-service"
        : "scaffold-several-services";
    sink.report(
      code,
      `the file must contain exactly one implementation of ${title}Service, found ${services.length}`,
    );
    return undefined;
  }
  const { additions, issues } = compare(service, members, source);
  for (const issue of issues) report(issue, file, sink);
  if (sink.hasErrors) return undefined;
  if (additions.length === 0) return { after: before, added: [] };
  const after = applyAdditions(source, additions, modules.runtime);
  if (syntaxError(file, after) !== undefined)
    throw new Error(
      `adding the handlers would make ${file} invalid TypeScript`,
    );
  return {
    after: Buffer.from(bom + after),
    added: additions.flatMap((addition) => handlerPaths(addition.members)),
  };
}

function report(
  { kind, path: names, node }: ScaffoldIssue,
  file: string,
  sink: Sink,
): void {
  const source = node.getSourceFile();
  const position = positionOf(source.text, node.getStart(source));
  const location =
    source.fileName === file
      ? position
      : `${path.relative(path.dirname(file), source.fileName)}, ${position}`;
  sink.report(
    `scaffold-${kind}`,
    `${names.join(".") || "the service"} (${location})`,
  );
}

/** Formats the position of an offset in a string as `line 3, column 5`. */
function positionOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
