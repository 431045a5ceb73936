import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
} from "yaml";
import { suggestion } from "../diagnostics/closest.js";
import { catalogue, type Code } from "../diagnostics/catalogue.js";
import { positionAt } from "../diagnostics/locate.js";
import {
  escapeToken,
  tokensOf,
  type Diagnostic,
} from "../diagnostics/types.js";

/** What can't be started, with everything that is wrong. */
export class SetupError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join("; "));
    this.name = "SetupError";
    this.diagnostics = diagnostics;
  }
}

/** A finding of the services, with what the catalogue says of its code. */
export function finding(
  code: Code,
  message: string,
  place: Partial<Diagnostic> = {},
): Diagnostic {
  const { severity, cause, fix } = catalogue[code];
  return { code, severity, message, cause, fix, ...place };
}

/** The config of services: a part for each, in a file that is YAML or JSON. */
export class ConfigFile {
  readonly #name: string;
  readonly #text: string;
  readonly #document: Document;
  readonly #parts: Readonly<Record<string, unknown>>;

  /**
   * @param name as the user gave it
   * @param services names that there may be parts for
   * @throws SetupError for what is no YAML, and for parts of unknown services
   */
  constructor(name: string, text: string, services: readonly string[]) {
    this.#name = name;
    this.#text = text;
    this.#document = parseDocument(text, {
      prettyErrors: false,
      lineCounter: new LineCounter(),
    });
    const [error] = this.#document.errors;
    if (error !== undefined)
      throw new SetupError([
        finding("config-syntax", error.message, {
          file: name,
          ...positionAt(text, error.pos[0]),
        }),
      ]);
    this.#parts = this.#read();
    this.#refuseUnknown(services);
  }

  /** The part of a service, or `host`; undefined where there is none. */
  part(service: string): unknown {
    return Object.hasOwn(this.#parts, service)
      ? (this.#parts[service] ?? {})
      : undefined;
  }

  /** A mistake in the part of a service; the pointer starts there. */
  mistake(service: string, pointer: string, message: string): Diagnostic {
    const whole = `/${escapeToken(service)}${pointer}`;
    return this.#finding("config-invalid", message, whole);
  }

  #read(): Readonly<Record<string, unknown>> {
    const { contents } = this.#document;
    if (contents === null) return {};
    let value: unknown;
    try {
      // Aliases that unfold to a giant are an error.
      value = this.#document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      throw new SetupError([
        this.#finding("config-syntax", (error as Error).message, ""),
      ]);
    }
    if (value === null) return {};
    if (isMap(contents)) return value as Record<string, unknown>;
    const message =
      "the file holds no parts with names, but one value or a list";
    throw new SetupError([this.#finding("config-syntax", message, "")]);
  }

  #refuseUnknown(services: readonly string[]): void {
    const known = [...services, "host"];
    const unknown = Object.keys(this.#parts)
      .filter((name) => !known.includes(name))
      .map((name) =>
        this.#finding(
          "config-unknown",
          `there is no service '${name}'${suggestion(name, services)}`,
          `/${escapeToken(name)}`,
        ),
      );
    if (unknown.length > 0) throw new SetupError(unknown);
  }

  #finding(code: Code, message: string, pointer: string): Diagnostic {
    const offset = offsetOf(this.#document.contents, tokensOf(pointer));
    const place = positionAt(this.#text, offset);
    return finding(code, message, { file: this.#name, pointer, ...place });
  }
}

/** Where the key or element at the end of a path begins; or what would hold it. */
function offsetOf(root: unknown, tokens: readonly string[]): number {
  let node = root as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const token of tokens) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === token,
      );
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = (node.items[Number(token)] ?? null) as Node | null;
      offset = node?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
