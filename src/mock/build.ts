import { suggestion } from "../diagnostics/closest.js";
import type { Api, Method } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import type { AnyHandler, Call } from "../runtime/server/call.js";
import { Reply, reply } from "../runtime/server/call.js";
import { Content, content } from "../runtime/server/content.js";
import type { ApiDefinition, Validate } from "../runtime/server/contract.js";
import type { ServerOptions } from "../runtime/server/options.js";
import { createServer, type Server } from "../runtime/server/server.js";
import { isJsonObject } from "./conform.js";
import type { Control } from "./control.js";
import { DataError, type MockData } from "./data.js";
import { Handlers } from "./handlers.js";
import { rolesOf } from "./roles.js";
import { buildRouteTable } from "./route-table.js";
import { loadState, saveState } from "./state.js";
import { Store } from "./store.js";
import { ValueMaker } from "./values.js";

export interface MockSettings {
  /** Seed of the generated data. */
  readonly seed: string;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection.
   */
  readonly strict: boolean;
  /** True to start without generated resources. */
  readonly empty?: boolean;
  readonly server?: ServerOptions;
  /** Faults and journal. Default: none. */
  readonly control?: Control;
  /** Handlers of single methods, nested as the resources of the document. */
  readonly handlers?: object;
}

/** Server of a mocked API, and access to its resources. */
export interface MockServer extends Server {
  /** Stores resources. @throws DataError if they do not fit the API */
  load(data: MockData): void;
  /** Returns all resources that were loaded, created or changed. */
  state(): MockData;
  /** Deletes all resources that were loaded, created or changed. */
  clear(): void;
}

/**
 * Builds a server whose handlers generate their responses. An exception that is
 * not a DataError means that the generator has a bug.
 *
 * @throws DataError if a handler of the settings is not a function, or belongs to
 *   no method
 */
export function buildMock(model: Api, settings: MockSettings): MockServer {
  const { control } = settings;
  const api = buildRouteTable(model);
  const definitions = new Map(
    model.definitions.map((definition) => [definition.id, definition]),
  );
  const methods = methodsOf(model.root);
  control?.addMethods(methods.map(({ id }) => id));
  const context = {
    api: model,
    definitions,
    maker: new ValueMaker(definitions),
    store: new Store(),
    seed: settings.seed,
    strict: settings.strict,
    empty: settings.empty === true,
    basePath: settings.server?.basePath ?? "",
  };
  const roles = rolesOf(methods, definitions);
  const handlers = new Handlers(context, roles);
  const own = ownHandlers(api, settings.handlers ?? {});
  const server = createServer(
    withNumberedPaths(api, settings.strict),
    serviceOf(methods, handlers, own, control),
    control?.withHooks(settings.server ?? {}) ?? settings.server,
  );
  return {
    ...server,
    load: (data) =>
      loadState(data, context, roles, (type) => handlers.resourcesOf(type)),
    state: () => saveState(context, roles),
    clear: () => context.store.clear(),
  };
}

/**
 * Returns a validator that treats members that are `null` as absent, as services
 * do (ProtoJSON), and as some clients send them.
 */
function toleratingNull(validate: Validate): Validate {
  return (value, settings) => {
    const result = validate(value, settings);
    return result.valid ? result : validate(withoutNulls(value, 0), settings);
  };
}

/** Maximum depth to which null members are removed; that of request bodies. */
const MAX_DEPTH = 100;

function withoutNulls(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value))
    return value.map((element) => withoutNulls(element, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, withoutNulls(member, depth + 1)]),
  );
}

/**
 * Replaces the property paths of handlers with numbered names, because names in
 * a document are not always valid property paths.
 */
function withNumberedPaths(api: ApiDefinition, strict: boolean): ApiDefinition {
  const methods = api.methods.map(({ credential, ...method }, index) => ({
    ...method,
    ...(method.validate === undefined
      ? {}
      : { validate: toleratingNull(method.validate) }),
    ...(strict && credential !== undefined ? { credential } : {}),
    at: [`method${index}`],
  }));
  return { ...api, methods };
}

function serviceOf(
  methods: readonly Method[],
  handlers: Handlers,
  own: ReadonlyMap<number, AnyHandler>,
  control: Control | undefined,
): object {
  return Object.fromEntries(
    methods.map((method, index) => {
      const handler = own.get(index) ?? handlers.handlerOf(method);
      return [
        `method${index}`,
        control === undefined ? handler : controlled(handler, control),
      ];
    }),
  );
}

/**
 * Adds the journal and the faults to a handler. The server applies faults before
 * it reads the body, except for the last request of a resumable upload.
 */
function controlled(handler: AnyHandler, control: Control): AnyHandler {
  return (call: Call) => {
    control.note(call);
    const pending = control.before(call.request, call.method.id);
    return pending === undefined
      ? handler(call)
      : pending.then(() => handler(call));
  };
}

/** Returns the user's handlers, keyed by the index of the method. */
function ownHandlers(
  { methods }: ApiDefinition,
  handlers: object,
): ReadonlyMap<number, AnyHandler> {
  const found = new Map<number, AnyHandler>();
  for (const { path, owner, handler } of leavesOf(handlers, [])) {
    const index = methods.findIndex(
      ({ at }) =>
        at.length === path.length &&
        at.every((name, depth) => name === path[depth]),
    );
    if (index === -1)
      throw new DataError(
        `the handler ${path.join(".").slice(0, 200)} belongs to no method of the API${suggestion(
          path.join("."),
          methods.map(({ at }) => at.join(".")),
        )}`,
      );
    found.set(index, async (call) => own(await handler.call(owner, call)));
  }
  return found;
}

interface Leaf {
  readonly path: readonly string[];
  readonly owner: object;
  readonly handler: AnyHandler;
}

function leavesOf(owner: object, path: readonly string[]): Leaf[] {
  if (path.length > 50) return [];
  return Object.entries(owner).flatMap(([name, value]: [string, unknown]) => {
    const inner = [...path, name];
    if (typeof value === "function")
      return [{ path: inner, owner, handler: value as AnyHandler }];
    if (typeof value === "object" && value !== null)
      return leavesOf(value, inner);
    if (value === undefined) return [];
    throw new DataError(
      `the handler ${inner.join(".").slice(0, 200)} must be a function`,
    );
  });
}

/**
 * Converts a result that another copy of the runtime created, such as the one of
 * the user's generated server.
 */
function own(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  const { name } = result.constructor ?? {};
  if (name === "Content" && "source" in result && !(result instanceof Content))
    return content(result.source as Content["source"]);
  if (name !== "Reply" || result instanceof Reply || !("value" in result))
    return result;
  const { value, ...parts } = result as Reply<unknown, Record<string, string>>;
  const { status, headers, json } = parts;
  return reply(own(value), {
    headers,
    json,
    ...(status === undefined ? {} : { status }),
  });
}
