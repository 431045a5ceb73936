import type { Api as Model, Method } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import { renderApi } from "../generate/render-api.js";
import type { ApiDefinition } from "../runtime/server/contract.js";
import type { ServerOptions } from "../runtime/server/options.js";
import { createServer, type Server } from "../runtime/server/server.js";
import { serverTarget } from "../targets/server/index.js";
import { validatorTarget } from "../targets/validator/index.js";
import { evaluate } from "./evaluate.js";
import { Handlers } from "./handlers.js";
import { rolesOf } from "./roles.js";
import { Store } from "./store.js";
import { ValueMaker } from "./values.js";

/** Settings of one mocked API. */
export interface MockSettings {
  /** Seed of the generated data. */
  readonly seed: string;
  /**
   * True to require API keys, and to respond with 404 for a resource that is
   * not in the list of its collection.
   */
  readonly strict: boolean;
  readonly server?: ServerOptions;
}

/**
 * Builds a server whose handlers generate their responses. An exception means
 * that the generator has a bug.
 */
export function buildMock(model: Model, settings: MockSettings): Server {
  const api = buildRouteTable(model);
  const definitions = new Map(
    model.definitions.map((definition) => [definition.id, definition]),
  );
  const methods = methodsOf(model.root);
  const context = {
    api: model,
    definitions,
    maker: new ValueMaker(definitions),
    store: new Store(),
    seed: settings.seed,
    strict: settings.strict,
  };
  const handlers = new Handlers(context, rolesOf(methods, definitions));
  return createServer(
    withNumberedPaths(api, settings.strict),
    serviceOf(methods, handlers),
    settings.server,
  );
}

/** Builds the route table and validators by executing the generated code. */
export function buildRouteTable(model: Model): ApiDefinition {
  if (methodsOf(model.root).length === 0) return EMPTY_API;
  const textOf = renderApi(model, [serverTarget, validatorTarget]);
  const validators = evaluate(textOf("validators.ts"));
  return evaluate(textOf("routes.ts"), { validators })["api"] as ApiDefinition;
}

const EMPTY_API: ApiDefinition = {
  name: "",
  servicePath: "",
  parameters: {},
  methods: [],
};

/**
 * Replaces the property paths of handlers with numbered names, because names in
 * a document are not always valid property paths.
 */
function withNumberedPaths(api: ApiDefinition, strict: boolean): ApiDefinition {
  const methods = api.methods.map(({ credential, ...method }, index) => ({
    ...method,
    ...(strict && credential !== undefined ? { credential } : {}),
    at: [`method${index}`],
  }));
  return { ...api, methods };
}

function serviceOf(methods: readonly Method[], handlers: Handlers): object {
  return Object.fromEntries(
    methods.map((method, index) => [
      `method${index}`,
      handlers.handlerOf(method),
    ]),
  );
}
