import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  targetNames,
  withExistingTargets,
  type ExistingTargets,
} from "./document-targets.js";
import { editDocument, type EditedDocument } from "./edit-document.js";
import { reportFailure } from "./failures.js";
import { locateFindings, type DocumentText } from "./locate-findings.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";
import type { Formatter } from "../render/prettier.js";
import type { Engine } from "../render/engine.js";
import type { JavaScriptConverter } from "../render/javascript.js";
import { apiFolder } from "../targets/shared/api-folder.js";
import { printTargets } from "../targets/print-targets.js";
import type { Emit } from "../targets/shared/target-options.js";
import {
  loadTargets,
  type ImportOptions,
  type Target,
} from "../targets/target.js";
import type { OutputFile } from "../platform/output-file.js";
import { exportSettings, type ApiSettings } from "./api-settings.js";
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
   * Targets in the existing output, keyed by API folder. These targets are
   * generated in addition to the requested targets.
   */
  readonly existingTargets: ExistingTargets;
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
  readonly locateInfo: boolean;
  readonly timings?: Timings;
}

/**
 * Files generated from a document; `files` is absent if a diagnostic is an
 * error.
 */
export interface ApiOutput {
  readonly files?: readonly OutputFile[];
  /** Names of the generated targets. */
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Generates the files of a document: check → model → render → format. Never
 * throws. Not async, because a suspended async function would keep references
 * to its arguments (the bytes and the parsed document), which can be
 * garbage-collected once the model is built.
 *
 * @param reread function that reads the text again if a finding must be
 *   located. Without it, the text stays in memory.
 */
export function generateApi(
  bytes: Buffer,
  name: string,
  settings: ApiSettings,
  context: GenerateContext,
  reread?: () => string | undefined,
): Promise<ApiOutput> {
  const sink = new Sink(name);
  const model = buildModel(bytes, name, settings, context, sink, reread);
  return printModel(model, settings, context, sink);
}

/**
 * Model of a document, with the data needed to add positions to findings about
 * the document.
 */
interface DocumentModel {
  text?: DocumentText;
  api?: Api;
  relocate?: EditedDocument["relocate"];
}

/** Parses and edits a document, and builds its model. Never throws. */
async function buildModel(
  bytes: Buffer,
  name: string,
  settings: ApiSettings,
  { timings }: GenerateContext,
  sink: Sink,
  reread: (() => string | undefined) | undefined,
): Promise<DocumentModel> {
  const model: DocumentModel = {};
  try {
    const loaded = timed(timings, "parse", () => loadBytes(bytes, name, sink));
    model.text = loaded.text && (reread ?? loaded.text);
    const { document } = loaded;
    if (document === undefined) return model;
    const edited = await timed(timings, "edit", () =>
      editDocument(document, settings, sink),
    );
    model.relocate = edited.relocate;
    const { trustProse } = settings;
    model.api = timed(timings, "model", () =>
      buildApi(edited.document, sink, { trustProse }),
    );
  } catch (error) {
    reportFailure(error, sink);
  }
  return model;
}

/**
 * Prints the output files of a document, and adds positions to the findings
 * about the document. Never throws.
 */
async function printModel(
  building: Promise<DocumentModel>,
  settings: ApiSettings,
  context: GenerateContext,
  sink: Sink,
): Promise<ApiOutput> {
  const { text, api, relocate } = await building;
  let files: readonly OutputFile[] | undefined;
  let targets: readonly string[] = [];
  try {
    if (api !== undefined) {
      const folder = apiFolder(api);
      const { existingTargets } = context;
      const list = withExistingTargets(folder, settings, existingTargets, sink);
      targets = targetNames(list);
      if (!sink.hasErrors)
        files = await printFiles(api, list, settings, context, sink);
    }
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = relocate?.(sink.diagnostics) ?? sink.diagnostics;
  const diagnostics = locateFindings(findings, text, context.locateInfo);
  return files === undefined || sink.hasErrors
    ? { targets, diagnostics }
    : { files, targets, diagnostics };
}

async function printFiles(
  api: Api,
  list: readonly Target[],
  settings: ApiSettings,
  context: GenerateContext,
  sink: Sink,
): Promise<readonly OutputFile[]> {
  const { imports, engine, timings } = context;
  const { trustProse } = settings;
  const targets = targetNames(list);
  const options = {
    ...imports,
    ...exportSettings(settings),
    trustProse,
    targets,
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
