import { Sink } from "../../diagnostics/sink.js";
import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import { property } from "../../render/typescript/literals.js";
import {
  banner,
  FileContext,
  type ClientContext,
} from "../shared/file-context.js";
import { nameApi } from "../shared/naming.js";
import { scopesOf } from "../shared/scopes.js";
import type { Target, TargetInput } from "../target.js";
import type { OutputFile } from "../../render/output-file.js";
import { planData } from "./plan.js";

/** Checks that the client and the server of an API understand each other. */
export const conformanceTarget: Target = {
  name: "conformance",
  runtime: "conformance",
  implies: ["client", "validator", "server"],
  generate,
};

function generate({ api, engine, options }: TargetInput): OutputFile[] {
  if (methodsOf(api.root).length === 0) return []; // there is no server
  const names = nameApi(api, scopesOf(api), new Sink());
  const context: ClientContext = { api, names, options };
  const file = (path: string, text: string): OutputFile => ({
    path: `${names.folder}/${path}.ts`,
    text,
  });
  return [
    file("conformance", checksFile(context, engine)),
    file("conformance.test", testFile(context, engine)),
  ];
}

/** A module of the runtime, as generated files import it. */
function runtime({ options }: ClientContext, module: string): string {
  const { runtimeModule, importSuffix } = options;
  return runtimeModule === undefined
    ? `../../runtime/conformance/${module}${importSuffix}`
    : `${runtimeModule}/conformance/${module}`;
}

/** conformance.ts: the checks as data, and the function that gives them. */
function checksFile(
  context: ClientContext,
  engine: TargetInput["engine"],
): string {
  const { api, options, names } = context;
  const scope = new NameScope(["conformance", "plan", "options"]);
  const { imports, ...file } = fileOf(context, scope);
  const core = runtime(context, "core");
  const createClient = `create${names.title}`;
  const createServer = `create${names.title}Server`;
  const view = {
    Plan: identifier(imports.type(core, "Plan")),
    Check: identifier(imports.type(core, "Check")),
    Options: identifier(imports.type(core, "ConformanceOptions")),
    checksOf: identifier(imports.value(core, "checksOf")),
    api: identifier(imports.value(file.sibling("routes"), "api")),
    createClient: identifier(
      imports.value(file.sibling("client"), createClient),
    ),
    createServer: identifier(
      imports.value(file.sibling("server"), createServer),
    ),
    entries: Object.entries(planData(api, options.trustProse)).map(
      ([key, value]) => new Code(property(key, value!, 2)),
    ),
  };
  const code = call(view.checksOf, [
    ...["api", "plan"].map((name) =>
      name === "api" && view.api.text !== "api"
        ? `api: ${view.api.text}`
        : name,
    ),
    `createClient: ${view.createClient.text}`,
    `createServer: ${view.createServer.text}`,
  ]);
  return engine.render("conformance/conformance", {
    banner: banner(context),
    ...view,
    call: code,
    imports: imports.render(),
  });
}

function fileOf(
  context: ClientContext,
  scope: NameScope,
): { imports: FileContext["imports"]; sibling: (name: string) => string } {
  const file = new FileContext(context, scope, "./");
  return { imports: file.imports, sibling: (name) => file.sibling(name) };
}

/** The call that makes the checks, laid out as Prettier does. */
function call(name: Code, members: readonly string[]): Code {
  const line = `  return ${name.text}({ ${members.join(", ")} }, options);`;
  if (line.length <= 80) return new Code(line);
  const lines = members.map((member) => `      ${member},\n`).join("");
  return new Code(
    `  return ${name.text}(\n    {\n${lines}    },\n    options,\n  );`,
  );
}

/** conformance.test.ts: hands the checks to the test runner at work. */
function testFile(
  context: ClientContext,
  engine: TargetInput["engine"],
): string {
  const { api } = context;
  const { imports, sibling } = fileOf(context, new NameScope());
  const register = imports.value(runtime(context, "runner"), "register");
  const checks = imports.value(sibling("conformance"), "conformance");
  return engine.render("conformance/register", {
    banner: banner(context),
    call: registration(register, `${api.name}:${api.version}`, checks),
    imports: imports.render(),
  });
}

/** Prettier breaks the call where the id is long. */
function registration(register: string, id: string, checks: string): Code {
  const args = [quote(id), `${checks}()`];
  const line = `void ${register}(${args.join(", ")});`;
  return new Code(
    line.length <= 80
      ? line
      : `void ${register}(\n  ${args.join(",\n  ")},\n);`,
  );
}
