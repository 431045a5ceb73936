import { Sink } from "../diagnostics/sink.js";
import type { Api as Model, Method } from "../model/ir.js";
import { methodsOf } from "../model/infer/direction.js";
import { Engine } from "../render/engine.js";
import type { Api } from "../runtime/server/api.js";
import type { ServerOptions } from "../runtime/server/options.js";
import { createServer, type Server } from "../runtime/server/server.js";
import { serverTarget } from "../targets/server/index.js";
import type { TargetInput } from "../targets/target.js";
import type { OutputFile } from "../render/output-file.js";
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
  /** Responds with 404 for resources that are neither listed nor created, and requires the API's keys. */
  readonly strict: boolean;
  readonly server?: ServerOptions;
}

/** Builds a server whose handlers generate their responses. Throws only on a bug of the generator. */
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

/** Builds the route table and validators by running the code that the targets print. */
export function buildRouteTable(model: Model): Api {
  if (methodsOf(model.root).length === 0) return EMPTY_API;
  const input: TargetInput = {
    api: model,
    engine: new Engine(),
    options: { importSuffix: ".js", trustProse: false },
    sink: new Sink(),
  };
  const files = [serverTarget, validatorTarget].flatMap((target) =>
    target.generate(input),
  );
  const validators = evaluate(fileText(files, "validators"));
  return evaluate(fileText(files, "routes"), { validators })["api"] as Api;
}

const EMPTY_API: Api = {
  name: "",
  servicePath: "",
  parameters: {},
  methods: [],
};

function fileText(files: readonly OutputFile[], name: string): string {
  return files.find((file) => file.path.endsWith(`/${name}.ts`))!.text;
}

/** Numbers the handlers: names in a document need not be valid property paths. */
function withNumberedPaths(api: Api, strict: boolean): Api {
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
