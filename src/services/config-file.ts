import { isMap, type Document } from "yaml";
import { suggestion } from "../diagnostics/closest.js";
import { catalogue, type Code } from "../diagnostics/catalogue.js";
import { positionAt } from "../diagnostics/locate.js";
import { escapeToken, type Diagnostic } from "../diagnostics/types.js";
import {
  parseYaml,
  YamlSyntaxError,
  yamlValue,
} from "../diagnostics/yaml-document.js";
import { yamlOffset } from "../diagnostics/yaml-offset.js";

/** Error with the diagnostics that explain why services can't be started. */
export class SetupError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ message }) => message).join("; "));
    this.name = "SetupError";
    this.diagnostics = diagnostics;
  }
}

/**
 * Returns a diagnostic with the cause and the fix from the diagnostics
 * catalogue.
 */
export function serviceDiagnostic(
  code: Code,
  message: string,
  position: Partial<Diagnostic> = {},
): Diagnostic {
  const { severity, cause, fix } = catalogue[code];
  return { code, severity, message, cause, fix, ...position };
}

/** Config file in YAML or JSON, with a section for each service. */
export class ConfigFile {
  readonly #name: string;
  readonly #text: string;
  readonly #document: Document;
  readonly #sections: Readonly<Record<string, unknown>>;

  /**
   * @param name path of the file, used in messages
   * @param services names of allowed sections
   * @throws SetupError for invalid YAML and for sections of unknown services
   */
  constructor(name: string, text: string, services: readonly string[]) {
    this.#name = name;
    this.#text = text;
    try {
      this.#document = parseYaml(text).document;
    } catch (error) {
      if (!(error instanceof YamlSyntaxError)) throw error;
      throw new SetupError([
        serviceDiagnostic("config-syntax", error.message, {
          file: name,
          ...positionAt(text, error.offset),
        }),
      ]);
    }
    this.#sections = this.#read();
    this.#checkSections(services);
  }

  /**
   * Returns the section of a service, of `host` or of `admin`; undefined if the
   * section is missing.
   */
  section(service: string): unknown {
    return Object.hasOwn(this.#sections, service)
      ? (this.#sections[service] ?? {})
      : undefined;
  }

  /**
   * Returns a diagnostic about a mistake in a section. `pointer` is relative to
   * the section.
   */
  sectionDiagnostic(
    service: string,
    pointer: string,
    message: string,
  ): Diagnostic {
    const absolute = `/${escapeToken(service)}${pointer}`;
    return this.#diagnostic("config-invalid", message, absolute);
  }

  #read(): Readonly<Record<string, unknown>> {
    const { contents } = this.#document;
    if (contents === null) return {};
    let value: unknown;
    try {
      value = yamlValue(this.#document);
    } catch (error) {
      throw new SetupError([
        this.#diagnostic("config-syntax", (error as Error).message, ""),
      ]);
    }
    if (value === null) return {};
    if (isMap(contents)) return value as Record<string, unknown>;
    const message =
      "the file must contain an object with a section for each service";
    throw new SetupError([this.#diagnostic("config-syntax", message, "")]);
  }

  #checkSections(services: readonly string[]): void {
    const allowed = [...services, "host", "admin"];
    const unknown = Object.keys(this.#sections)
      .filter((name) => !allowed.includes(name))
      .map((name) =>
        this.#diagnostic(
          "config-unknown",
          `unknown service '${name}'${suggestion(name, allowed)}`,
          `/${escapeToken(name)}`,
        ),
      );
    if (unknown.length > 0) throw new SetupError(unknown);
  }

  #diagnostic(code: Code, message: string, pointer: string): Diagnostic {
    const offset = yamlOffset(this.#document, pointer);
    const position = positionAt(this.#text, offset);
    return serviceDiagnostic(code, message, {
      file: this.#name,
      pointer,
      ...position,
    });
  }
}
