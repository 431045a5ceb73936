import { locate } from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";
import type { OutputFile } from "../platform/output-file.js";
import type { Engine } from "../render/engine.js";
import type { JavaScriptConverter } from "../render/javascript.js";
import type { Formatter } from "../render/prettier.js";
import { targetsOf } from "../targets/index.js";
import { printTargets } from "../targets/print-targets.js";
import { apiFolder } from "../targets/shared/api-folder.js";
import type { Emit } from "../targets/shared/target-options.js";
import {
  loadTargets,
  type ImportOptions,
  type Target,
} from "../targets/target.js";
import { exportSettings, type ApiSettings } from "./api-settings.js";
import { editDocument, type EditedDocument } from "./edit-document.js";
import { reportFailure } from "./failures.js";
import { timed, type Timings } from "./timings.js";

/** Settings for the generator that are the same for all documents of a run. */
export interface GenerateContext {
  readonly imports: ImportOptions;
  /**
   * Returns the template engine. The engine is created on first use, because it
   * is not needed if the output is unchanged.
   */
  readonly engine: () => Engine;
  /**
   * Names of the targets in the existing output, keyed by API folder. These
   * targets are generated in addition to the requested targets.
   */
  readonly existingTargets: Readonly<Record<string, readonly string[]>>;
  /**
   * Formatter that is applied to files before the files are compared with the
   * existing output.
   */
  readonly formatter?: Formatter | undefined;
  /** Loads the converter of `--emit js`. */
  readonly javaScript: () => Promise<JavaScriptConverter>;
  /**
   * True to calculate the line and column of info diagnostics too. Errors and
   * warnings always have a line and column.
   */
  readonly showsInfo: boolean;
  readonly timings?: Timings | undefined;
}

/**
 * Files generated from a document; `files` is absent if a diagnostic is an
 * error.
 */
export interface ApiOutput {
  readonly files?: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Generates the files of a document: check → model → render → format. Never
 * throws.
 */
export async function generateApi(
  bytes: Buffer,
  name: string,
  settings: ApiSettings,
  context: GenerateContext,
): Promise<ApiOutput> {
  const sink = new Sink(name);
  const { text, api, relocate } = await readApi(bytes, settings, context, sink);
  let files: readonly OutputFile[] | undefined;
  try {
    if (api !== undefined) files = await printApi(api, settings, context, sink);
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = relocate?.(sink.diagnostics) ?? sink.diagnostics;
  const isLocated = ({ severity }: Diagnostic): boolean =>
    context.showsInfo || severity !== "info";
  const diagnostics =
    text === undefined || !findings.some(isLocated)
      ? findings
      : locate(findings, text, isLocated);
  return files === undefined || sink.hasErrors
    ? { diagnostics }
    : { files, diagnostics };
}

/** Model of a document, and the data that locates findings in the document. */
interface ReadApi {
  text?: string | undefined;
  relocate?: EditedDocument["relocate"];
  api?: Api;
}

/** Parses and edits a document, and builds its model. Never throws. */
async function readApi(
  bytes: Buffer,
  settings: ApiSettings,
  { timings }: GenerateContext,
  sink: Sink,
): Promise<ReadApi> {
  const result: ReadApi = {};
  try {
    const { text, document } = timed(timings, "parse", () =>
      loadBytes(bytes, sink.file!, sink),
    );
    result.text = text;
    if (document === undefined) return result;
    const edited = await timed(timings, "edit", () =>
      editDocument(document, settings, sink),
    );
    result.relocate = edited.relocate;
    const { trustProse } = settings;
    result.api = timed(timings, "model", () =>
      buildApi(edited.document, sink, { trustProse }),
    );
  } catch (error) {
    reportFailure(error, sink);
  }
  return result;
}

/** Prints and formats the files of an API; undefined after an error. */
async function printApi(
  api: Api,
  settings: ApiSettings,
  context: GenerateContext,
  sink: Sink,
): Promise<readonly OutputFile[] | undefined> {
  const { imports, engine, timings } = context;
  const list = targetsFor(apiFolder(api), settings, context, sink);
  if (sink.hasErrors) return undefined;
  const options = {
    ...imports,
    ...exportSettings(settings),
    trustProse: settings.trustProse,
    targets: targetNames(list),
  };
  await loadTargets(list);
  const printed = timed(timings, "print", () =>
    printTargets(api, list, options, engine(), sink),
  );
  return timed(timings, "format", () =>
    finishFiles(printed, imports.emit ?? "ts", context),
  );
}

/**
 * Returns the targets to generate for an API folder: the requested targets and
 * those in its existing output. Reports targets that are not requested.
 */
function targetsFor(
  folder: string,
  { target }: ApiSettings,
  { existingTargets }: GenerateContext,
  sink: Sink,
): Target[] {
  const targets = targetsOf([...target, ...(existingTargets[folder] ?? [])]);
  const requested = new Set(targetNames(targetsOf(target)));
  const added = targetNames(targets).filter((name) => !requested.has(name));
  if (added.length > 0)
    sink.report(
      "target-kept",
      `${folder} also contains the output of other targets (${added.join(", ")}), which will also be generated again`,
    );
  return targets;
}

function targetNames(targets: readonly Target[]): string[] {
  return targets.map(({ name }) => name);
}

/**
 * Converts TypeScript files to the language of the output, then formats them if
 * there is a formatter.
 */
export async function finishFiles(
  files: readonly OutputFile[],
  emit: Emit,
  { formatter, javaScript }: Pick<GenerateContext, "formatter" | "javaScript">,
): Promise<readonly OutputFile[]> {
  const converted =
    emit === "js" ? await toJavaScript(files, javaScript) : files;
  if (formatter === undefined) return converted;
  return Promise.all(
    converted.map(async (file) => ({
      path: file.path,
      text: await formatter.format(file),
    })),
  );
}

async function toJavaScript(
  files: readonly OutputFile[],
  load: GenerateContext["javaScript"],
): Promise<OutputFile[]> {
  const { convert } = await load();
  return files.flatMap((file) =>
    file.path.endsWith(".ts") ? convert(file) : [file],
  );
}
