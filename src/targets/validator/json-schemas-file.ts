import { Sink } from "../../diagnostics/sink.js";
import type { Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { Imports } from "../../render/typescript/imports.js";
import { callOf } from "../../render/typescript/layout.js";
import { functionHead } from "../../render/typescript/signature.js";
import {
  Call,
  printData,
  type Data,
} from "../../render/typescript/literals.js";
import {
  Degradations,
  nameComponents,
  SchemaBuilder,
  type SchemaContext,
} from "../json-schema/schema-builder.js";
import { namedSchemas } from "../json-schema/definitions.js";
import { findInputSchemas } from "../json-schema/input-schemas.js";
import type { Json, JsonObject } from "../json-schema/json.js";
import { standardDialect } from "../json-schema/standard-dialect.js";
import type { OutputFile } from "../../platform/output-file.js";
import { definitionType } from "../shared/type-names.js";
import type { Direction } from "../shared/types.js";
import type { TargetInput } from "../target.js";
import { moduleFile } from "../shared/module-file.js";
import { runtimePath } from "./validator-modules.js";
import { hasSchemas } from "./validator-context.js";
import { exportedConstant, typeText } from "./standard.js";
import type { JsonFunctionView, JsonSchemaItem } from "./views.js";

/**
 * Prints json-schemas.ts, which contains functions that return the JSON Schema
 * of the schemas and request bodies of an API, and Standard JSON Schemas that
 * use these functions and validators.ts.
 */
export function jsonSchemasFile(input: TargetInput): OutputFile[] {
  const printer = new JsonPrinter(input);
  const { schemas, requests } = input.names.validators;
  printer.named();
  for (const [id, validator] of schemas) {
    const name = printer.functionOf(id, "output");
    if (name !== undefined) printer.standard(validator, name, id, "output");
  }
  for (const [method, validator] of requests) {
    const { request, httpMethod } = method;
    const id = request?.kind === "ref" ? request.id : undefined;
    const known =
      id !== undefined && request?.nullable !== true
        ? printer.functionOf(id, "input")
        : undefined;
    const name = known ?? printer.reserve(validator.slice("validate".length));
    if (known === undefined) printer.body(name, method);
    const isPatch = httpMethod === "PATCH";
    printer.standard(validator, name, id, "input", isPatch);
  }
  return printer.files();
}

class JsonPrinter {
  readonly #imports: Imports;
  readonly #scope = new NameScope(["schemas", "validators"]);
  readonly #context: SchemaContext;
  /** Map from the name of a JSON Schema to the name of its function. */
  readonly #functions = new Map<string, string>();
  readonly #items: JsonSchemaItem[] = [];
  readonly #namespaces = new Set<string>();
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
      this.#items.push(this.#view(this.#functions.get(name)!, schema));
  }

  /** Prints the function of a request body that has no named schema. */
  body(name: string, { request, pointer }: Method): void {
    const builder = new SchemaBuilder(this.#context, "input");
    const schema = builder.schema(request!, {}, `${pointer}/request`);
    this.#items.push(this.#view(name, schema));
  }

  /**
   * Returns the generated json-schemas.ts; an empty list if the file would
   * contain nothing.
   */
  files(): OutputFile[] {
    if (this.#items.length === 0) return [];
    return [
      moduleFile(
        {
          path: "json-schemas",
          template: "validator/json-schemas",
          view: { items: this.#items },
          imports: this.#imports,
        },
        this.input,
        this.input.engine,
      ),
    ];
  }

  /**
   * Prints a Standard JSON Schema, such as `fileJsonSchema`.
   * @param of name of the function that returns the JSON Schema
   * @param id definition whose type the validated value has, if there is one
   */
  standard(
    validator: string,
    of: string,
    id: string | undefined,
    direction: Direction,
    isPatch = false,
  ): void {
    const { names, options } = this.input;
    const schema = names.validators.standard.get(validator)!;
    const words = schema.replace(/Schema(?=\d*$)/, "");
    const create = this.#use(isPatch ? "withPatchSchema" : "withJsonSchema");
    const type = this.#import(
      isPatch ? "StandardJsonPatch" : "StandardJsonSchema",
    );
    const value =
      id === undefined || !hasSchemas(options)
        ? undefined
        : `schemas.${definitionType(id, direction, names)}`;
    if (value !== undefined) this.#namespace("schemas", "type");
    this.#namespace("validators", "value");
    this.#items.push(
      exportedConstant(
        this.#scope.reserve(`${words}JsonSchema`),
        typeText(type, value),
        callOf(`/* @__PURE__ */ ${create}`, `validators.${schema}`, of),
      ),
    );
  }

  #namespace(file: string, kind: "type" | "value"): void {
    if (this.#namespaces.has(file)) return;
    this.#namespaces.add(file);
    const module = `./${file}${this.input.options.importSuffix}`;
    this.#imports.namespace(module, file, kind);
  }

  #use(name: string): string {
    return this.#imports.value(runtimePath(name, this.input.options), name);
  }

  #view(name: string, schema: JsonObject): JsonFunctionView {
    this.#usesReference = false;
    const data = this.#data(schema);
    const parameters = this.#usesReference
      ? [{ name: "ref", type: this.#import("SchemaReference") }]
      : [];
    const result = this.#import("JsonSchema");
    const signature = { name: identifier(name).text, parameters, result };
    return {
      head: functionHead(signature),
      value: new Code(printData(data, 2, "return ", ";")),
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
