import type {
  Api,
  Definition,
  ErrorRule,
  Method,
  Parameter,
  Schema,
} from "../../model/ir.js";
import { isBinding } from "../../model/infer/field-flags.js";
import { Code } from "../../render/typescript/code.js";
import type { Data } from "../../render/typescript/literals.js";

type Entries = { readonly [key: string]: Data | undefined };

/** A JSON value as generated code holds it. */
export function jsonData(value: unknown): Data {
  if (value === null || value === undefined) return new Code("null");
  if (Array.isArray(value)) return value.map(jsonData);
  if (typeof value !== "object") return value as Data;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, jsonData(member)]),
  );
}

/** `x-credential` where it is a header; one in the query is a parameter like others. */
export function credentialData({ credential }: Method): Entries | undefined {
  if (credential?.in !== "header") return undefined;
  const { name, schemes } = credential;
  return { header: name, schemes: schemes.length > 0 ? schemes : undefined };
}

/** `x-stream` without the types. */
export function streamData({ stream }: Method): Entries | undefined {
  return stream?.format !== "events"
    ? undefined
    : { when: jsonData(stream.when ?? {}), end: stream.end };
}

/** `x-paging` without the type. */
export function linksData({ links }: Method): Entries | undefined {
  if (links === undefined) return undefined;
  const { page, size, link } = links;
  return { page, size, link };
}

/** Headers that the handler sets: those of the answer that the server does not write itself. */
export function ownHeaders({
  responseHeaders = [],
  links,
  redirects,
}: Method): Parameter[] {
  const written = new Set([
    links?.link.toLowerCase(),
    redirects === true ? "location" : undefined,
  ]);
  return responseHeaders.filter(({ name }) => !written.has(name.toLowerCase()));
}

/** Names of the headers without which an answer is a failure, in lower case. */
export function requiredHeaders(
  method: Method,
  trustProse: boolean,
): string[] | undefined {
  const names = ownHeaders(method)
    .filter(({ flags }) => isBinding(flags.required, trustProse))
    .map(({ name }) => name.toLowerCase());
  return names.length === 0 ? undefined : names;
}

/** `x-errors` by status, with what the schemas say of the places in the bodies. */
export function errorsData(
  rules: readonly ErrorRule[] | undefined,
  api: Api,
): Entries | undefined {
  if (rules === undefined) return undefined;
  const entries = rules.map((rule) => {
    const { status, schema, body, description: _, ...words } = rule;
    const places =
      body === undefined
        ? undefined
        : placesOf(body, schemaOf(schema, rules, api), api);
    const entry: Entries = {
      body: body === undefined ? undefined : jsonData(body),
      ...(words as Entries),
      ...places,
    };
    return [status, entry] as const;
  });
  const told = entries.filter(([, entry]) =>
    Object.values(entry).some((value) => value !== undefined),
  );
  return told.length === 0 ? undefined : Object.fromEntries(told);
}

/** Whether input that does not fit is 422: an entry for it lists problems. */
export function listsProblems(method: Method, api: Api): boolean {
  const rules = [...(method.errors ?? []), ...(api.errors ?? [])];
  const bodyOf = (wanted: string): unknown =>
    rules.find(({ status, body }) => status === wanted && body !== undefined)
      ?.body;
  const isListed = rules.some(({ status }) => status === "422");
  return isListed && hasList(bodyOf("422") ?? bodyOf("default"));
}

function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 1;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some(hasList)
  );
}

/** The schema of a body: the entry's own, else that of the document's default. */
function schemaOf(
  own: string | undefined,
  rules: readonly ErrorRule[],
  api: Api,
): Definition | undefined {
  const id =
    own ??
    [...rules, ...(api.errors ?? [])].find(
      ({ status, schema }) => status === "default" && schema !== undefined,
    )?.schema;
  return api.definitions.find((definition) => definition.id === id);
}

/** Pointers of the places that may be null, and of those that hold numbers. */
function placesOf(
  body: unknown,
  definition: Definition | undefined,
  api: Api,
): Entries {
  const nullable: string[] = [];
  const numbers: string[] = [];
  const visit = (
    value: unknown,
    schema: Schema | undefined,
    pointer: string,
  ): void => {
    if (typeof value === "string") {
      if (schema?.nullable === true) nullable.push(pointer);
      const isNumber =
        schema?.kind === "scalar" &&
        (schema.type === "integer" || schema.type === "number");
      if (isNumber) numbers.push(pointer);
    } else if (Array.isArray(value)) {
      const items = schema?.kind === "list" ? schema.items : undefined;
      value.forEach((one, index) => visit(one, items, `${pointer}/${index}`));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value))
        visit(member, fieldOf(schema, name, api), `${pointer}/${name}`);
    }
  };
  if (definition !== undefined)
    visit(body, { kind: "ref", id: definition.id }, "");
  return {
    nullable: nullable.length > 0 ? nullable : undefined,
    numbers: numbers.length > 0 ? numbers : undefined,
  };
}

function fieldOf(
  schema: Schema | undefined,
  name: string,
  { definitions }: Api,
): Schema | undefined {
  if (schema?.kind !== "ref") return undefined;
  const body = definitions.find(({ id }) => id === schema.id)?.body;
  if (body?.kind !== "object") return undefined;
  return body.fields.find((field) => field.name === name)?.schema;
}
