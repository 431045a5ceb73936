import type { Api as Model, Method } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import { renderApi } from "../generate/render-api.js";
import type { Api } from "../runtime/server/api.js";
import type { ServerOptions } from "../runtime/server/options.js";
import { createServer, type Server } from "../runtime/server/server.js";
import { serverTarget } from "../targets/server/index.js";
import { validatorTarget } from "../targets/validator/index.js";
import { evaluate } from "./evaluate.js";
import { Handlers } from "./handlers.js";
import { rolesOf } from "./roles.js";
import { Store } from "./store.js";
import { ValueMaker } from "./values.js";

/** How a mock answers. */
export interface MockSettings {
  /** Another seed gives other data. */
  readonly seed: string;
  /** What is neither listed nor was made is 404, and keys must be sent where the API has them. */
  readonly strict: boolean;
  readonly server?: ServerOptions;
}

/** The server of an API with handlers that make their answers. Throws where the generator has a bug. */
export function buildMock(model: Model, settings: MockSettings): Server {
  const api = apiOf(model);
  const definitions = new Map(
    model.definitions.map((definition) => [definition.id, definition]),
  );
  const methods = methodsOf(model.root);
  const world = {
    api: model,
    definitions,
    maker: new ValueMaker(definitions),
    store: new Store(),
    seed: settings.seed,
    strict: settings.strict,
  };
  const handlers = new Handlers(world, rolesOf(methods, definitions));
  return createServer(
    withPlaces(api, settings.strict),
    serviceOf(methods, handlers),
    settings.server,
  );
}

/** The route table and the validators as the server target prints them, run at once. */
export function apiOf(model: Model): Api {
  if (methodsOf(model.root).length === 0) return NOTHING;
  const textOf = renderApi(model, [serverTarget, validatorTarget]);
  const validators = evaluate(textOf("validators.ts"));
  return evaluate(textOf("routes.ts"), { validators })["api"] as Api;
}

const NOTHING: Api = { name: "", servicePath: "", parameters: {}, methods: [] };

/** Handlers are found by number: names of a document may be anything. */
function withPlaces(api: Api, strict: boolean): Api {
  const methods = api.methods.map(({ credential, ...method }, index) => ({
    ...method,
    ...(strict && credential !== undefined ? { credential } : {}),
    at: [`method${index}`],
  }));
  return { ...api, methods };
}

function serviceOf(methods: readonly Method[], handlers: Handlers): object {
  return Object.fromEntries(
    methods.map((method, index) => [`method${index}`, handlers.of(method)]),
  );
}
