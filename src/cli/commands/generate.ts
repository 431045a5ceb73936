import path from "node:path";
import { locate } from "../diagnostics/locate.js";
import { loadSource } from "../load/load.js";
import { listSources } from "../load/sources.js";
import { buildApi } from "../model/build/api.js";
import { runPipeline, type PipelineResult } from "../pipeline.js";
import { Engine } from "../render/engine.js";
import { targets } from "../targets/index.js";
import type { TargetOptions } from "../targets/target.js";
import { hash } from "../write/manifest.js";
import { isChange } from "../write/plan.js";
import { options, type OptionValues } from "./options.js";
import { report, type Output } from "./report.js";
import type { Diagnostic } from "../diagnostics/types.js";

/** Codes that mean that the command or the output folder is wrong, not a document. */
const USAGE_CODES = new Set([
  "usage",
  "source-missing",
  "source-empty",
  "source-unsupported",
  "output-foreign",
  "output-unwritable",
  "template-unknown",
  "template-invalid",
]);

/** Generates and reports; the exit code as the README lists them. */
export async function generateCommand(
  values: OptionValues,
  cwd: string,
  output: Output,
): Promise<number> {
  if (values.dump === "ir") return dumpModel(values, cwd, output);
  const overrides = await loadOverrides(values, cwd);
  if ("diagnostics" in overrides) {
    report(
      { plans: [], diagnostics: overrides.diagnostics, total: 0, failed: 0 },
      values,
      output,
    );
    return 2;
  }
  const result = await runPipeline({
    specs: values.spec,
    cwd,
    session: {
      out: path.resolve(cwd, values.out!),
      mode:
        values.check === true
          ? "check"
          : values.dryRun === true
            ? "dry-run"
            : "write",
      force: values.force === true,
    },
    targets: targets.filter(({ name }) => values.target.includes(name)),
    target: targetOptions(values),
    engine: () => new Engine(overrides.templates),
    optionsHash: optionsHash(values, overrides.fingerprint),
    locateInfo: values.verbose === true,
    ...(values.formatter === "prettier"
      ? { format: await formatter(cwd, values.out!) }
      : {}),
  });
  report(result, values, output);
  return exitCode(result, values);
}

function targetOptions(values: OptionValues): TargetOptions {
  return {
    importSuffix:
      values.importSuffix === "none" ? "" : `.${values.importSuffix}`,
    trustProse: values.trustProse === true,
    ...(values.runtime === "package"
      ? { runtimeModule: "discovery-codegen/runtime/client" }
      : {}),
  };
}

function optionsHash(values: OptionValues, templates: string): string {
  const deciding = options.filter(
    ({ decidesOutput }) => decidesOutput === true,
  );
  const given = deciding.map(({ name }) =>
    name === "templates"
      ? templates
      : (values[name as keyof OptionValues] ?? null),
  );
  return hash(JSON.stringify(given));
}

async function loadOverrides(
  values: OptionValues,
  cwd: string,
): Promise<
  | { templates: ReadonlyMap<string, unknown>; fingerprint: string }
  | { diagnostics: readonly Diagnostic[] }
> {
  if (values.templates === undefined)
    return { templates: new Map(), fingerprint: "" };
  const { readOverrides } = await import("../render/overrides.js");
  return readOverrides(path.resolve(cwd, values.templates));
}

async function formatter(cwd: string, out: string) {
  const { prettierFormatter } = await import("../render/formatter.js");
  return prettierFormatter(path.resolve(cwd, out));
}

/** 0 done, 1 drift, 2 usage or output, 3 description, 5 bug. */
function exitCode(result: PipelineResult, values: OptionValues): number {
  const errors = result.diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  if (errors.some(({ code }) => code === "internal")) return 5;
  if (errors.some(({ code }) => USAGE_CODES.has(code))) return 2;
  if (errors.length > 0) return 3;
  const drifted = result.plans.some(({ files }) => files.some(isChange));
  return values.check === true && drifted ? 1 : 0;
}

/** `--dump ir`: one API as an object, several as an array. */
async function dumpModel(
  values: OptionValues,
  cwd: string,
  output: Output,
): Promise<number> {
  const { sources, diagnostics } = await listSources(values.spec, cwd);
  const found: Diagnostic[] = [...diagnostics];
  const apis = sources.flatMap((source) => {
    const { sink, text, document } = loadSource(source);
    const api =
      document === undefined
        ? undefined
        : buildApi(document, sink, { trustProse: values.trustProse === true });
    found.push(
      ...(text === undefined
        ? sink.diagnostics
        : locate(sink.diagnostics, text)),
    );
    return api === undefined ? [] : [api];
  });
  const result = {
    plans: [],
    diagnostics: found,
    total: sources.length,
    failed: sources.length - apis.length,
  };
  report(
    result,
    {
      ...values,
      format: values.format === "json" ? "text" : values.format,
      quiet: true,
    },
    output,
  );
  output.out(
    `${JSON.stringify(apis.length === 1 ? apis[0] : apis, undefined, 2)}\n`,
  );
  return exitCode(result, values);
}
