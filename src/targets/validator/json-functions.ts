import { Sink } from "../../diagnostics/sink.js";
import type { Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { Imports } from "../../render/typescript/imports.js";
import { functionForms } from "../../render/typescript/signature.js";
import {
  Call,
  printData,
  type Data,
} from "../../render/typescript/literals.js";
import { nameComponents } from "../json-schema/component-names.js";
import { Degradations } from "../json-schema/degradations.js";
import { namedSchemas } from "../json-schema/definitions.js";
import { findInputSchemas } from "../json-schema/input-schemas.js";
import type { Json, JsonObject } from "../json-schema/json.js";
import {
  SchemaBuilder,
  type SchemaContext,
} from "../json-schema/schema-builder.js";
import { standardDialect } from "../json-schema/standard-dialect.js";
import type { OutputFile } from "../../platform/output-file.js";
import type { TargetInput } from "../target.js";
import { moduleFiles } from "../shared/module-files.js";
import { runtimePath } from "./validator-modules.js";
import type { JsonFunctionView } from "./views.js";

/** json-schemas.ts, and the names of its functions. */
export interface JsonFunctions {
  /** Generated files; empty if there are no functions. */
  readonly files: readonly OutputFile[];
  /**
   * Names of the functions that return the JSON Schema of a definition, keyed by
   * definition id. Contains only definitions with a validator.
   */
  readonly output: ReadonlyMap<string, string>;
  /** Names of the functions for request bodies, keyed by method. */
  readonly requests: ReadonlyMap<Method, string>;
}

/**
 * Prints json-schemas.ts, which contains functions that return the JSON Schema
 * of the schemas and request bodies of an API.
 */
export function jsonFunctions(input: TargetInput): JsonFunctions {
  const printer = new JsonPrinter(input);
  const { schemas, requests } = input.names.validators;
  printer.named();
  const output = new Map<string, string>();
  for (const id of schemas.keys()) {
    const name = printer.functionOf(id, "output");
    if (name !== undefined) output.set(id, name);
  }
  const bodies = new Map<Method, string>();
  for (const [method, validator] of requests) {
    const { request } = method;
    const known =
      request?.kind === "ref" && request.nullable !== true
        ? printer.functionOf(request.id, "input")
        : undefined;
    const name = known ?? printer.reserve(validator.slice("validate".length));
    if (known === undefined) printer.body(name, method);
    bodies.set(method, name);
  }
  return { files: printer.files(), output, requests: bodies };
}

class JsonPrinter {
  readonly #imports: Imports;
  readonly #scope = new NameScope();
  readonly #context: SchemaContext;
  /** Map from the name of a JSON Schema to the name of its function. */
  readonly #functions = new Map<string, string>();
  readonly #views: JsonFunctionView[] = [];
  #usesReference = false;

  constructor(private readonly input: TargetInput) {
    const { definitions, methods, api, options } = input;
    const { trustProse } = options;
    const inputs = findInputSchemas(definitions, methods, trustProse);
    // Renamed schemas and unsupported features are reported only by the targets
    // that export documents, so findings are discarded here.
    const sink = new Sink();
    this.#context = {
      definitions,
      names: nameComponents(api, inputs, sink),
      dialect: standardDialect((name) => name),
      trustProse,
      degradations: new Degradations(sink),
    };
    const { output, input: bodies } = this.#context.names;
    for (const [id, name] of output)
      this.#functions.set(name, this.reserve(this.#type(id)));
    for (const [id, name] of bodies)
      this.#functions.set(name, this.reserve(`${this.#type(id)}Input`));
    this.#imports = new Imports(this.#scope);
  }

  /** Reserves the name of a function, such as `fileJson`. */
  reserve(words: string): string {
    const lowered = words.charAt(0).toLowerCase() + words.slice(1);
    return this.#scope.reserve(`${lowered}Json`);
  }

  /**
   * Returns the name of the function for a definition; undefined if there is
   * none.
   */
  functionOf(id: string, direction: "input" | "output"): string | undefined {
    const { input, output } = this.#context.names;
    const name =
      (direction === "input" ? input.get(id) : undefined) ?? output.get(id);
    return name === undefined ? undefined : this.#functions.get(name);
  }

  /** Prints the functions of all named schemas. */
  named(): void {
    for (const [name, schema] of namedSchemas(this.input.api, this.#context))
      this.#views.push(this.#view(this.#functions.get(name)!, schema));
  }

  /** Prints the function of a request body that has no named schema. */
  body(name: string, { request, pointer }: Method): void {
    const builder = new SchemaBuilder(this.#context, "input");
    const schema = builder.schema(request!, {}, `${pointer}/request`);
    this.#views.push(this.#view(name, schema));
  }

  /**
   * Returns the generated json-schemas.ts; an empty list if the file would
   * contain no functions.
   */
  files(): OutputFile[] {
    if (this.#views.length === 0) return [];
    return moduleFiles(
      {
        path: "json-schemas",
        template: "validator/json-schemas",
        view: { functions: this.#views },
        imports: this.#imports,
      },
      this.input,
      this.input.engine,
    );
  }

  #view(name: string, schema: JsonObject): JsonFunctionView {
    this.#usesReference = false;
    const data = this.#data(schema);
    const parameters = this.#usesReference
      ? [{ name: "ref", type: this.#import("SchemaReference") }]
      : [];
    const result = this.#import("JsonSchema");
    const { emit = "ts" } = this.input.options;
    const signature = { name: identifier(name).text, parameters, result };
    return {
      ...functionForms(signature, emit),
      value: new Code(`return ${printData(data, 2, "  return ".length)};`),
    };
  }

  #data(value: Json): Data {
    if (value === null) return new Code("null");
    if (typeof value === "number")
      return new Code(String(value).replace("e+", "e"));
    if (typeof value !== "object") return value;
    if (Array.isArray(value))
      return (value as Json[]).map((item) => this.#data(item));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === "$ref" && typeof member === "string"
          ? this.#reference(member)
          : this.#data(member),
      ]),
    );
  }

  #reference(name: string): Call {
    this.#usesReference = true;
    return new Call("ref", [quote(name), this.#functions.get(name)!]);
  }

  #import(name: string): string {
    return this.#imports.type(runtimePath(name, this.input.options), name);
  }

  #type(id: string): string {
    return this.input.names.types.get(id)!;
  }
}
