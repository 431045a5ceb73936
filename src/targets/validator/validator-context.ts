import type { Sink } from "../../diagnostics/sink.js";
import type { Definition } from "../../model/ir.js";
import type { NameScope } from "../../model/names.js";
import { Imports } from "../../render/typescript/imports.js";
import type { ApiNames } from "../shared/naming.js";
import { definitionType } from "../shared/type-names.js";
import type { Direction } from "../shared/types.js";
import { validatorScope } from "../shared/validator-names.js";
import type { TargetInput, TargetOptions } from "../target.js";
import { validatorModuleOf } from "./validator-modules.js";

/** What the parts of validators.ts are made from, and what they ask for. */
export class ValidatorContext {
  readonly imports: Imports;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Definitions whose check function is called. */
  readonly needed = new Set<string>();
  /** Names of check functions and of sets of values, by definition. */
  readonly #checks = new Map<string, string>();
  readonly #values = new Map<string, string>();
  #hasSchemas = false;
  /** Names of regular expressions, by source; in the order of their use. */
  readonly patterns = new Map<string, string>();

  readonly names: ApiNames;
  readonly options: TargetOptions;
  readonly sink: Sink;
  readonly #scope: NameScope;

  constructor({ names, definitions, options, sink }: TargetInput) {
    this.names = names;
    this.definitions = definitions;
    this.options = options;
    this.sink = sink;
    this.#scope = validatorScope(names.validators);
    this.imports = new Imports(this.#scope);
  }

  /** The check function of a definition, which is called from now on. */
  check(id: string): string {
    if (this.#isAnything(id)) return this.use("anything");
    this.needed.add(id);
    return cached(this.#checks, id, () =>
      this.reserve("check", this.#type(id)),
    );
  }

  /** A check function for something without a name. */
  reserve(prefix: string, words: string): string {
    return this.#scope.reserve(`${prefix}${words}`);
  }

  /** The constant with the values of an enum. */
  values(id: string): string {
    return cached(this.#values, id, () =>
      this.#scope.reserve(`${this.lowered(id)}Values`),
    );
  }

  /** The constant with the values of an enum, where it is used. */
  usedValues(id: string): string | undefined {
    return this.#values.get(id);
  }

  /** The constant with a regular expression. */
  pattern(source: string, words: string): string {
    return cached(this.patterns, source, () =>
      this.#scope.reserve(`${lowered(words)}Pattern`),
    );
  }

  /** A value of the runtime. */
  use(name: string): string {
    return this.imports.value(this.#module(name), name);
  }

  /** A type of the runtime. */
  type(name: string): string {
    return this.imports.type(this.#module(name), name);
  }

  /** The same words, for a constant. */
  lowered(id: string): string {
    return lowered(this.#type(id));
  }

  /** Words for the names of what belongs to a definition. */
  words(id: string): string {
    return this.#type(id);
  }

  /** The type of a definition in schemas.ts; undefined where there is no such file. */
  schemaType(id: string, direction: Direction): string | undefined {
    const { targets, importSuffix } = this.options;
    if (!targets?.some((name) => /^(client|server)$/.test(name)))
      return undefined;
    if (!this.#hasSchemas)
      this.imports.namespace(`./schemas${importSuffix}`, "schemas", true);
    this.#hasSchemas = true;
    return `schemas.${definitionType(id, direction, this.names)}`;
  }

  /** Whether a definition is nothing but another name for any value. */
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
    const module = validatorModuleOf(name);
    const { runtimeModule, importSuffix } = this.options;
    return runtimeModule === undefined
      ? `../../runtime/validator/${module}${importSuffix}`
      : `${runtimeModule}/validator/${module}`;
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
