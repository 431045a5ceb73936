import type { Api, Method, Resource } from "../../src/model/ir.js";
import { buildMock } from "../../src/mock/index.js";
import { ValueMaker } from "../../src/mock/values.js";
import type { LogEntry, Server } from "../../src/runtime/server/index.js";
import { requestTo } from "../services/mock-requests.js";

type Json = Record<string, any>;

/** Methods of a resource that can be created, read, listed, changed and deleted. */
interface Lifecycle {
  readonly name: string;
  readonly create: Method;
  readonly get: Method;
  readonly list: Method;
  readonly change: Method;
  readonly delete: Method;
}

/** Result of a lifecycle: `cause` is absent if all steps succeeded. */
export interface LifecycleResult {
  readonly name: string;
  readonly cause?: string;
}

/** Finds the lifecycles of a document by the names of its methods. */
function lifecyclesOf({ root }: Api): Lifecycle[] {
  const found: Lifecycle[] = [];
  const visit = ({ methods, children }: Resource): void => {
    const named = (...names: string[]): Method | undefined =>
      names
        .map((name) => methods.find((method) => method.name === name))
        .find((method) => method !== undefined);
    const create = named("create", "insert");
    const get = named("get");
    const list = named("list");
    const change = named("patch", "update");
    const remove = named("delete");
    if (create && get && list && change && remove)
      found.push({
        name: get.id.replace(/\.get$/, ""),
        create,
        get,
        list,
        change,
        delete: remove,
      });
    for (const inner of children) visit(inner);
  };
  visit(root);
  return found;
}

class Failure extends Error {}

/**
 * Creates, reads, lists, changes and deletes a resource of each kind that has
 * these methods, with an empty mock whose responses are validated.
 */
export async function runLifecycles(api: Api): Promise<LifecycleResult[]> {
  const lifecycles = lifecyclesOf(api);
  if (lifecycles.length === 0) return [];
  const results: LifecycleResult[] = [];
  const logged: LogEntry[] = [];
  const server = buildMock(api, {
    seed: "lifecycle",
    strict: false,
    empty: true,
    server: { validateResponses: true, log: (entry) => logged.push(entry) },
  });
  for (const lifecycle of lifecycles) {
    try {
      server.clear();
      await run(api, lifecycle, server, logged);
      results.push({ name: lifecycle.name });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({ name: lifecycle.name, cause: error.message });
    }
  }
  return results;
}

async function run(
  api: Api,
  lifecycle: Lifecycle,
  server: Server,
  logged: readonly LogEntry[],
): Promise<void> {
  const maker = new ValueMaker(
    new Map(api.definitions.map((one) => [one.id, one])),
  );
  /** Parameters that all requests share: those of the parent. */
  const shared: Record<string, string> = {};
  const send = async (
    step: string,
    method: Method,
    known: Json,
    body?: unknown,
  ): Promise<{ status: number; body: Json }> => {
    const request = requestTo(method, api, maker, known, body);
    const response = await server.fetch(
      new Request(`http://mock.test${request.path}`, request.init),
    );
    const text = await response.text();
    if (response.status >= 500) {
      const why = logged.at(-1)?.error;
      throw new Failure(
        `${step}: ${why instanceof Error ? why.message : text}`,
      );
    }
    return {
      status: response.status,
      body: text.startsWith("{") ? JSON.parse(text) : { list: [] },
    };
  };
  const succeed = async (
    ...args: Parameters<typeof send>
  ): ReturnType<typeof send> => {
    const result = await send(...args);
    if (result.status < 400) return result;
    throw new Failure(
      `${args[0]}: ${result.status} ${JSON.stringify(result.body).slice(0, 150)}`,
    );
  };
  const { create, get, list, change } = lifecycle;
  Object.assign(shared, parentOf(create, get, list, api, maker));
  const before = itemsOf((await succeed("list before", list, shared)).body);
  if (before.length > 0) throw new Failure("list before: not empty");
  await succeed("create", create, shared);
  const items = itemsOf((await succeed("list", list, shared)).body);
  if (items.length !== 1)
    throw new Failure(`list: ${items.length} resources instead of 1`);
  const item = items[0]!;
  const key = await keyOf(item, lifecycle, shared, send);
  const read = async (step: string) => (await succeed(step, get, key)).body;
  const first = await read("get");
  const field = changeable(change, api, first);
  const body = field === undefined ? {} : { [field]: "changed by a test" };
  const needsAll =
    change.httpMethod === "PUT" || (change.requiredMembers ?? []).length > 0;
  const complete = needsAll ? { ...first, ...body } : body;
  const mask = field === undefined ? {} : { updateMask: field };
  await succeed("change", change, { ...key, ...mask }, complete);
  const changed = await read("get after change");
  if (field !== undefined && changed[field] !== "changed by a test")
    throw new Failure(`change: ${field} is unchanged`);
  await succeed("delete", lifecycle.delete, key);
  const gone = await send("get after delete", get, key);
  if (gone.status !== 404)
    throw new Failure(`get after delete: ${gone.status} instead of 404`);
  const after = itemsOf((await succeed("list after", list, shared)).body);
  if (after.length > 0) throw new Failure("list after: not empty");
}

/**
 * Chooses values of the path parameters of create and get, and those of list
 * that begin a name in create (`projects/p` of `projects/p/topics/t`).
 */
function parentOf(
  create: Method,
  get: Method,
  list: Method,
  api: Api,
  maker: ValueMaker,
): Record<string, string> {
  const { values } = requestTo(create, api, maker, {});
  const names = [create, get].flatMap((method) => pathNames(method));
  const known = Object.fromEntries(
    names.flatMap((name) =>
      values[name] === undefined ? [] : [[name, values[name]]],
    ),
  );
  for (const { name, constraints } of list.parameters) {
    if (known[name] !== undefined || constraints.pattern === undefined)
      continue;
    const form = new RegExp(constraints.pattern);
    const parent = Object.values(known)
      .flatMap((text) =>
        text.split("/").map((_, end, all) => all.slice(0, end + 1).join("/")),
      )
      .find((text) => form.test(text));
    if (parent !== undefined) known[name] = parent;
  }
  return known;
}

/** Names of the path parameters in the order of the path. */
function pathNames({ tokens, parameters }: Method): string[] {
  const names = parameters
    .filter(({ location }) => location === "path")
    .map(({ name }) => name);
  return tokens.flatMap((token) =>
    "name" in token && names.includes(token.name) ? [token.name] : [],
  );
}

/** Returns the longest list of objects in a response, also of a grouped one. */
function itemsOf(body: Json): Json[] {
  const lists = Object.entries(body).flatMap(([name, value]) => {
    if (/warning|unreachable|error/i.test(name)) return [];
    if (Array.isArray(value)) return [value];
    return [];
  });
  return lists.sort((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * Returns the parameters with which get returns the item: the shared ones, and
 * for the last path parameter of each method a text of the item.
 */
async function keyOf(
  item: Json,
  { get, change, delete: remove }: Lifecycle,
  shared: Record<string, string>,
  send: (
    step: string,
    method: Method,
    known: Json,
  ) => Promise<{ status: number; body: Json }>,
): Promise<Record<string, string>> {
  const lasts = [get, change, remove].map((method) => lastName(method, get));
  const nested = Object.values(item).filter(
    (value) => typeof value === "object" && value !== null,
  );
  const texts = [item, ...nested]
    .flatMap((owner) => Object.values(owner))
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)
    .filter((value) => value !== "");
  const names = texts.flatMap((text) => [
    text,
    ...fullNames(text, shared, get),
  ]);
  for (const text of new Set(names)) {
    const own = Object.fromEntries(lasts.map((name) => [name, text]));
    const known = { ...shared, ...own };
    const { status, body } = await send("get", get, known);
    if (status === 200 && contains(body, item)) return known;
  }
  throw new Failure(
    `get: no text of the item is its ${lasts[0]}: ${JSON.stringify(item).slice(0, 200)}`,
  );
}

/**
 * Full names of a resource whose own name has no parents, as of sinks of
 * Logging: the parent of the request, the collection and the name.
 */
function fullNames(
  text: string,
  shared: Readonly<Record<string, string>>,
  get: Method,
): string[] {
  const last = get.parameters.find(({ name }) => name === lastName(get, get));
  const pattern = (last?.constraints.pattern ?? "").replaceAll("[^/]+", "*");
  const collection = /([^/]+)\/\*\$$/.exec(pattern);
  if (collection === null || text.includes("/")) return [];
  return Object.values(shared).map(
    (parent) => `${parent}/${collection[1]}/${text}`,
  );
}

/**
 * Name of the parameter with the id: the last one of the path, or the query
 * parameter with the name that get uses.
 */
function lastName(method: Method, get: Method): string {
  const last = pathNames(get).at(-1)!;
  const isShared = method.parameters.some(({ name }) => name === last);
  return isShared ? last : pathNames(method).at(-1)!;
}

/** Returns true if an object has the members of an element of a list. */
function contains(body: Json, item: Json): boolean {
  return Object.entries(item).every(
    ([name, value]) =>
      JSON.stringify(body[name]) === JSON.stringify(value) || !(name in body),
  );
}

/** Returns a member of the body of `change` that any text can replace. */
function changeable(change: Method, api: Api, item: Json): string | undefined {
  const { request } = change;
  const id = request?.kind === "ref" ? request.id : "";
  const body = api.definitions.find((one) => one.id === id)?.body;
  if (body?.kind !== "object") return undefined;
  return body.fields.find(
    ({ name, schema, flags, constraints }) =>
      /^(description|displayName|title|summary|comment|notes|label)$/.test(
        name,
      ) &&
      schema.kind === "scalar" &&
      schema.type === "string" &&
      schema.format === undefined &&
      constraints.pattern === undefined &&
      flags.readOnly === undefined &&
      (name in item || item !== undefined),
  )?.name;
}
