import type { Sink } from "../../diagnostics/sink.js";
import type { Definition } from "../../model/ir.js";
import type { NameScope } from "../../model/names.js";
import { Imports } from "../../render/typescript/imports.js";
import type { ApiNames } from "../shared/naming.js";
import { definitionType } from "../shared/type-names.js";
import type { Direction } from "../shared/types.js";
import { validatorScope } from "../shared/validator-names.js";
import type { TargetInput, TargetOptions } from "../target.js";
import type { JsonFunctions } from "./json-functions.js";
import { runtimePath } from "./validator-modules.js";

/**
 * Names of a generated validators.ts, and the functions and constants that it
 * refers to.
 */
export class ValidatorContext {
  readonly imports: Imports;
  readonly definitions: ReadonlyMap<string, Definition>;
  /**
   * Ids of the definitions whose check function is called and must be printed.
   */
  readonly needed = new Set<string>();
  /** Names of check functions and of enum value sets, by definition id. */
  readonly #checks = new Map<string, string>();
  readonly #values = new Map<string, string>();
  #hasSchemas = false;
  #hasJson = false;
  /** Names of regular expressions by source, in order of first use. */
  readonly patterns = new Map<string, string>();

  readonly names: ApiNames;
  readonly options: TargetOptions;
  readonly sink: Sink;
  readonly #scope: NameScope;

  /** @param json functions of json-schemas.ts; absent without this file */
  constructor(
    { names, definitions, options, sink }: TargetInput,
    readonly json?: JsonFunctions,
  ) {
    this.names = names;
    this.definitions = definitions;
    this.options = options;
    this.sink = sink;
    this.#scope = validatorScope(names.validators);
    this.imports = new Imports(this.#scope);
  }

  /**
   * Returns the check function of a definition and marks the function as
   * called.
   */
  check(id: string): string {
    if (this.#isAnything(id)) return this.use("anything");
    this.needed.add(id);
    return cached(this.#checks, id, () =>
      this.reserve("check", this.#type(id)),
    );
  }

  /** Reserves a unique name. */
  reserve(prefix: string, words: string): string {
    return this.#scope.reserve(`${prefix}${words}`);
  }

  /**
   * Returns the constant with the values of an enum and marks the constant as
   * used.
   */
  values(id: string): string {
    return cached(this.#values, id, () =>
      this.#scope.reserve(`${this.lowered(id)}Values`),
    );
  }

  /**
   * Returns the constant with the values of an enum; undefined if nothing uses
   * it.
   */
  usedValues(id: string): string | undefined {
    return this.#values.get(id);
  }

  /** Returns the constant that contains a regular expression. */
  pattern(source: string, words: string): string {
    return cached(this.patterns, source, () =>
      this.#scope.reserve(`${lowered(words)}Pattern`),
    );
  }

  /** Imports a value of the validator runtime; returns its local name. */
  use(name: string): string {
    return this.imports.value(this.#module(name), name);
  }

  /** Imports a type of the validator runtime; returns its local name. */
  type(name: string): string {
    return this.imports.type(this.#module(name), name);
  }

  /**
   * Returns the first part of the names of a definition's constants, e.g.
   * `file` for `fileValues`.
   */
  lowered(id: string): string {
    return lowered(this.#type(id));
  }

  /**
   * Returns the last part of the names of a definition's functions, e.g. `File`
   * for `checkFile`.
   */
  words(id: string): string {
    return this.#type(id);
  }

  /**
   * Returns the type of a definition in schemas.ts; undefined if the run does
   * not print schemas.ts.
   */
  schemaType(id: string, direction: Direction): string | undefined {
    const { targets, importSuffix } = this.options;
    if (!targets?.some((name) => /^(client|server)$/.test(name)))
      return undefined;
    if (!this.#hasSchemas)
      this.imports.namespace(`./schemas${importSuffix}`, "schemas", "type");
    this.#hasSchemas = true;
    return `schemas.${definitionType(id, direction, this.names)}`;
  }

  /** Imports json-schemas.ts; returns the expression for one of its functions. */
  jsonSchema(name: string): string {
    if (!this.#hasJson)
      this.imports.namespace(
        `./json-schemas${this.options.importSuffix}`,
        "json",
        "value",
      );
    this.#hasJson = true;
    return `json.${name}`;
  }

  /** Returns whether a definition is an alias that allows any value. */
  #isAnything(id: string): boolean {
    const body = this.definitions.get(id)!.body;
    if (body.kind !== "alias") return false;
    const { schema } = body;
    return (
      schema.kind === "any" ||
      (schema.kind === "ref" && this.#isAnything(schema.id))
    );
  }

  #type(id: string): string {
    const type = this.names.types.get(id)!;
    return type.charAt(0).toUpperCase() + type.slice(1);
  }

  #module(name: string): string {
    return runtimePath(name, this.options);
  }
}

function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function cached(
  names: Map<string, string>,
  key: string,
  make: () => string,
): string {
  let name = names.get(key);
  if (name === undefined) names.set(key, (name = make()));
  return name;
}
