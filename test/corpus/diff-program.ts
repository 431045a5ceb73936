import {
  hasUploadProtocol,
  requestForm,
  responseForm,
} from "../../src/model/bodies.js";
import type {
  Method,
  Parameter,
  Resource,
  Schema,
} from "../../src/model/ir.js";
import { resolveAlias } from "../../src/model/queries.js";
import type { Side } from "../../src/diff/side.js";

/** Levels of objects that values and reads of results contain. */
const MAX_DEPTH = 2;

/**
 * Prints a program that uses the generated client of a document: each method
 * with all of its parameters and members, each property of each schema, and each
 * scope.
 * @param module path of the client's index.ts
 */
export function programOf(side: Side, module: string): string {
  const { api, names } = side;
  const lines = [
    `import { create${names.title}, type schemas } from ${JSON.stringify(module)};`,
    `const client = create${names.title}({});`,
    "function use<T>(value: T): void { void value; }",
  ];
  let index = 0;
  const visit = (resource: Resource, client: string): void => {
    for (const method of resource.methods)
      lines.push(
        ...callOf(
          method,
          `${client}[${JSON.stringify(method.name)}]`,
          index++,
          side,
        ),
      );
    for (const child of resource.children)
      visit(child, `${client}[${JSON.stringify(child.name)}]`);
  };
  visit(api.root, "client");
  for (const [at, definition] of api.definitions.entries()) {
    const type = `schemas.${names.types.get(definition.id)}`;
    lines.push(
      `export function read${at}(value: ${type}): void {`,
      "  use(value);",
    );
    if (definition.body.kind === "object")
      for (const field of definition.body.fields)
        lines.push(
          ...read(
            `value[${JSON.stringify(field.name)}]`,
            field.schema,
            MAX_DEPTH,
            side,
          ),
        );
    lines.push("}");
    const input = names.inputs.get(definition.id);
    if (input !== undefined)
      lines.push(`export type Input${at} = schemas.${input};`);
  }
  return `${lines.join("\n")}\n`;
}

/** Prints a call with all parameters and members, and one with the required ones. */
function callOf(
  method: Method,
  target: string,
  index: number,
  side: Side,
): string[] {
  const [call, minimal] = [0, MAX_DEPTH].map(
    (depth) => `${target}({ ${argumentsOf(method, depth, side).join(", ")} })`,
  );
  return [
    `export async function call${index}(): Promise<void> { // ${method.name}`,
    `  use(await ${minimal});`,
    `  const result = await ${call};`,
    "  use(result);",
    ...(responseForm(method) === "json"
      ? read("result", method.response!, 0, side)
      : []),
    ...(method.paging === undefined
      ? []
      : [`  for await (const page of ${call}.pages()) use(page);`]),
    ...(method.paging?.items === undefined
      ? []
      : [`  for await (const item of ${call}) use(item);`]),
    ...(method.download === undefined ? [] : [`  use(await ${call}.media());`]),
    ...(method.operation?.poll === undefined
      ? []
      : [`  use(await ${call}.wait());`]),
    "}",
  ];
}

/** @param depth 0 for all parameters and members, else only the required ones */
function argumentsOf(method: Method, depth: number, side: Side): string[] {
  const parameters = [...method.parameters, ...(method.headers ?? [])]
    .filter(
      ({ flags: { required } }) =>
        depth === 0 || (required !== undefined && required.from !== "prose"),
    )
    .map(
      (parameter) =>
        `${JSON.stringify(propertyOf(parameter))}: ${argument(parameter, side)}`,
    );
  if (requestForm(method) === "json") {
    const body = value(method.request!, depth, side, method.requiredMembers);
    if (body !== undefined) parameters.push(`requestBody: ${body}`);
  }
  if (depth === 0 && hasUploadProtocol(method.upload))
    parameters.push('media: { body: "x" }');
  return parameters;
}

/** Parameters with a name of a property of calls are renamed by the generator. */
function propertyOf({ name }: Parameter): string {
  return name === "media" || name === "requestBody" ? `${name}_` : name;
}

function argument({ schema, repeated }: Parameter, side: Side): string {
  const one = value(schema, 0, side) ?? '"a"';
  return repeated ? `[${one}]` : one;
}

/** Prints a value of a request; undefined for values that the test omits. */
function value(
  schema: Schema,
  depth: number,
  side: Side,
  required: readonly string[] = [],
): string | undefined {
  const end = resolveAlias(schema, side.definitions);
  switch (end.kind) {
    case "scalar":
      return {
        string: '"a"',
        number: "1",
        integer: "1",
        boolean: "true",
        null: "null",
      }[end.type];
    case "enum":
      return JSON.stringify(end.values[0]!.value);
    case "any":
      return '"a"';
    case "list": {
      const item = value(end.items, depth + 1, side);
      return item === undefined ? "[]" : `[${item}]`;
    }
    case "map": {
      const item = value(end.values, depth + 1, side);
      return item === undefined ? "{}" : `{ key: ${item} }`;
    }
    case "ref":
      return definitionValue(end.id, depth, side, required);
  }
}

function definitionValue(
  id: string,
  depth: number,
  side: Side,
  required: readonly string[],
): string | undefined {
  const body = side.definitions.get(id)?.body;
  if (body?.kind === "enum") return JSON.stringify(body.values[0]!.value);
  if (body?.kind !== "object") return undefined;
  const fields = body.fields.filter(
    ({ name, flags }) =>
      flags.readOnly?.from !== "document" &&
      (depth < MAX_DEPTH ||
        flags.required?.from === "document" ||
        required.includes(name)),
  );
  const members = fields.flatMap(({ name, schema }) => {
    const member = value(schema, depth + 1, side);
    return member === undefined ? [] : [`${JSON.stringify(name)}: ${member}`];
  });
  return `{ ${members.join(", ")} }`;
}

/** Prints statements that read a result with the types of the document. */
function read(
  expression: string,
  schema: Schema,
  depth: number,
  side: Side,
): string[] {
  const end = resolveAlias(schema, side.definitions);
  if (end.nullable === true || schema.nullable === true)
    return [`  use<unknown>(${expression});`];
  switch (end.kind) {
    case "scalar":
      return [`  use<${scalar(end)} | undefined>(${expression});`];
    case "enum":
      return [`  use<string | undefined>(${expression});`];
    case "list":
      return elements(expression, end.items, depth, side);
    case "map":
      return read(`${expression}?.["key"]`, end.values, depth, side);
    case "ref": {
      const body = side.definitions.get(end.id)?.body;
      if (body?.kind === "enum")
        return [`  use<string | undefined>(${expression});`];
      if (body?.kind !== "object" || depth >= MAX_DEPTH)
        return [`  use<unknown>(${expression});`];
      return body.fields.flatMap((field) =>
        read(
          // With `?.`, members of void would compile.
          `${expression}${expression === "result" ? "" : "?."}[${JSON.stringify(field.name)}]`,
          field.schema,
          depth + 1,
          side,
        ),
      );
    }
    case "any":
      return [`  use<unknown>(${expression});`];
  }
}

function scalar({ type, format }: Extract<Schema, { kind: "scalar" }>): string {
  if (type === "integer") return "number";
  if (type !== "number") return type;
  return format === undefined ? "number" : "number | string";
}

/** Prints a loop over a list, since an index would also compile for a map. */
function elements(
  list: string,
  items: Schema,
  depth: number,
  side: Side,
): string[] {
  const [, level = "0"] = /^item(\d+)/.exec(list) ?? [];
  const item = `item${Number(level) + 1}`;
  return [
    `  for (const ${item} of ${list} ?? []) {`,
    ...read(item, items, depth, side),
    "  }",
  ];
}
