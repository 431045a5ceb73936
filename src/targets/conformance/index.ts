import { NameScope } from "../../model/names.js";
import { Code, identifier, quote } from "../../render/typescript/code.js";
import {
  bareList,
  callOf,
  ENTRIES,
  print,
} from "../../render/typescript/layout.js";
import type { ApiContext } from "../shared/api-context.js";
import { banner } from "../shared/banner.js";
import { entryLines } from "../shared/entries.js";
import { FileContext } from "../shared/file-context.js";
import { moduleFile, type ModuleView } from "../shared/module-file.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../platform/output-file.js";
import { planData } from "./plan.js";
import type { ConformanceView, RegisterView } from "./views.js";

/** Target that generates tests of an API's client against its server. */
export const conformanceTarget: CodeTarget = {
  name: "conformance",
  runtime: "conformance",
  implies: ["client", "validator", "server"],
  generate,
};

function generate({ engine, ...context }: TargetInput): OutputFile[] {
  if (context.methods.length === 0) return []; // no server
  return [checksFile(context, engine), testFile(context, engine)];
}

/** Returns the import path of a module of the conformance runtime. */
function runtime({ options }: ApiContext, module: string): string {
  const { runtimeModule, importSuffix } = options;
  return runtimeModule === undefined
    ? `../../runtime/conformance/${module}${importSuffix}`
    : `${runtimeModule}/conformance/${module}`;
}

/**
 * Prints conformance.ts, which contains the test plan and the function that
 * returns the checks.
 */
function checksFile(
  context: ApiContext,
  engine: TargetInput["engine"],
): OutputFile {
  const { names } = context;
  const scope = new NameScope(["conformance", "plan", "options"]);
  const { imports, ...file } = fileOf(context, scope);
  const core = runtime(context, "core");
  const createClient = `create${names.title}`;
  const createServer = `create${names.title}Server`;
  const types = {
    Plan: identifier(imports.type(core, "ConformancePlan")),
    Check: identifier(imports.type(core, "Check")),
    Options: identifier(imports.type(core, "ConformanceOptions")),
  };
  const checksOf = identifier(imports.value(core, "checksOf"));
  const routes = imports.value(file.sibling("routes"), "api");
  const members = [
    routes === "api" ? "api" : `api: ${routes}`,
    "plan",
    `createClient: ${imports.value(file.sibling("client"), createClient)}`,
    `createServer: ${imports.value(file.sibling("server"), createServer)}`,
  ];
  const view: ModuleView<ConformanceView> = {
    ...types,
    entries: entryLines(planData(context), 2),
    call: call(checksOf, members),
  };
  return moduleFile(
    {
      path: "conformance",
      template: "conformance/conformance",
      view,
      imports,
    },
    context,
    engine,
  );
}

function fileOf(
  context: ApiContext,
  scope: NameScope,
): { imports: FileContext["imports"]; sibling: (name: string) => string } {
  const file = new FileContext(context, scope, "./");
  return { imports: file.imports, sibling: (name) => file.sibling(name) };
}

/** Prints the statement that returns the checks. */
function call(name: Code, members: readonly string[]): Code {
  const sides = bareList("{", members, "}", ENTRIES);
  const checks = callOf(`return ${name.text}`, sides, "options");
  return new Code(`  ${print([checks, ";"], 2)}`);
}

/**
 * Prints conformance.test.ts, which registers the checks with the test runner
 * that executes the file.
 */
function testFile(
  context: ApiContext,
  engine: TargetInput["engine"],
): OutputFile {
  const { api, names, options } = context;
  const { imports, sibling } = fileOf(context, new NameScope());
  const register = imports.value(runtime(context, "runner"), "register");
  const checks = imports.value(sibling("conformance"), "conformance");
  const view: RegisterView = {
    banner: banner(api, options),
    call: registration(register, `${api.name}:${api.version}`, checks),
    imports: imports.render(),
  };
  const path = `${names.folder}/conformance.test.ts`;
  return { path, text: engine.render("conformance/register", view) };
}

/**
 * Prints the statement that registers the checks. A long statement is broken
 * across lines.
 */
function registration(register: string, id: string, checks: string): Code {
  const args = [quote(id), `${checks}()`];
  return new Code(print([callOf(`void ${register}`, ...args), ";"]));
}
