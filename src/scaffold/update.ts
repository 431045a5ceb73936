import path from "node:path";
import type { Code } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import { compare, type Remark } from "./compare.js";
import { edited } from "./edit.js";
import type { Modules } from "./module.js";
import { servicesIn } from "./service.js";
import { parse, syntaxError } from "./source.js";
import { handlerPaths, type Member } from "./tree.js";

/** A file with a service, and what the service should have. */
interface Update {
  readonly file: string;
  readonly before: Buffer;
  /** `Drive`, of `DriveService`. */
  readonly title: string;
  readonly members: readonly Member[];
  readonly modules: Modules;
}

const BOM = "\uFEFF";

/** The file with the handlers that it lacks; undefined where a diagnostic says why not. */
export function update(
  { file, before, title, members, modules }: Update,
  sink: Sink,
): { readonly after: Buffer; readonly added: readonly string[] } | undefined {
  const whole = before.toString("utf8");
  if (!Buffer.from(whole).equals(before)) {
    sink.report("scaffold-syntax", "the file is not UTF-8");
    return undefined;
  }
  const mark = whole.startsWith(BOM) ? BOM : "";
  const text = whole.slice(mark.length);
  const wrong = syntaxError(file, text);
  if (wrong !== undefined) {
    const place = placeOf(text, wrong.offset);
    sink.report("scaffold-syntax", `${wrong.message} (${place})`);
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
      `${title}Service is implemented ${services.length} times`,
    );
    return undefined;
  }
  const { additions, remarks } = compare(service, members, source);
  for (const remark of remarks) tell(remark, file, sink);
  if (sink.hasErrors) return undefined;
  if (additions.length === 0) return { after: before, added: [] };
  const after = edited(source, additions, modules.runtime);
  if (syntaxError(file, after) !== undefined)
    throw new Error(`${file} would not be TypeScript any more`);
  return {
    after: Buffer.from(mark + after),
    added: additions.flatMap((one) => handlerPaths(one.members)),
  };
}

function tell(
  { kind, path: names, at }: Remark,
  file: string,
  sink: Sink,
): void {
  const source = at.getSourceFile();
  const place = placeOf(source.text, at.getStart(source));
  const where =
    source.fileName === file
      ? place
      : `${path.relative(path.dirname(file), source.fileName)}, ${place}`;
  sink.report(
    `scaffold-${kind}`,
    `${names.join(".") || "the service"} (${where})`,
  );
}

/** `line 3, column 5` of an offset. */
function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}
