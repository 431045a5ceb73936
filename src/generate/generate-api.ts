import { locate } from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { editDocument, type EditedDocument } from "./edit-document.js";
import { reportFailure } from "./failures.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Formatter } from "../render/prettier.js";
import type { Engine } from "../render/engine.js";
import { withDeclarationMaps } from "../render/typescript/declaration-map.js";
import { apiFolder } from "../targets/shared/api-folder.js";
import { printTargets } from "../targets/print-targets.js";
import { targetsOf } from "../targets/index.js";
import {
  loadTargets,
  type ImportOptions,
  type Target,
} from "../targets/target.js";
import type { OutputFile } from "../render/output-file.js";
import type { CachedOutput } from "../write/output-cache.js";
import { exportSettings, type ApiSettings } from "./api-settings.js";
import { timed, type Timings } from "./timings.js";

/**
 * Settings for generating documents, which are the same for all documents of a
 * run.
 */
export interface GenerateContext {
  readonly imports: ImportOptions;
  /**
   * Returns the template engine. The engine is created on first use, because it
   * is not needed if the output is unchanged.
   */
  readonly engine: () => Engine;
  /**
   * Targets in the existing output, by API folder. These targets are generated
   * in addition to the requested targets.
   */
  readonly existingTargets: Readonly<Record<string, readonly string[]>>;
  /** Formatter that is applied to files before they are compared. */
  readonly formatter?: Formatter | undefined;
  /**
   * True to calculate line and column of infos too. Errors and warnings always
   * have them.
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
 * Generates the files of a document: check → build model → render → format.
 * Never throws.
 */
export async function generateApi(
  bytes: Buffer,
  name: string,
  settings: ApiSettings,
  context: GenerateContext,
): Promise<ApiOutput> {
  const sink = new Sink(name);
  let text: string | undefined;
  let files: readonly OutputFile[] | undefined;
  let targets: readonly string[] = [];
  let edited: EditedDocument | undefined;
  try {
    const { timings } = context;
    const loaded = timed(timings, "parse", () => loadBytes(bytes, name, sink));
    text = loaded.text;
    const { document } = loaded;
    if (document !== undefined) {
      const { trustProse } = settings;
      const { imports, engine } = context;
      const result = await timed(timings, "edit", () =>
        editDocument(document, settings, sink),
      );
      edited = result;
      const api = timed(timings, "model", () =>
        buildApi(result.document, sink, { trustProse }),
      );
      const list = withExistingTargets(apiFolder(api), settings, context, sink);
      targets = namesOf(list);
      if (!sink.hasErrors) {
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
        files = await timed(timings, "format", () =>
          formatFiles(printed, context),
        );
      }
    }
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = edited?.relocate(sink.diagnostics) ?? sink.diagnostics;
  const diagnostics = locateFindings(findings, text, context.locateInfo);
  return files === undefined || sink.hasErrors
    ? { targets, diagnostics }
    : { files, targets, diagnostics };
}

/**
 * Returns the targets to generate for an API folder: the requested targets and
 * those in its existing output.
 */
function targetsFor(
  folder: string,
  { target }: ApiSettings,
  { existingTargets }: Pick<GenerateContext, "existingTargets">,
): Target[] {
  return targetsOf([...target, ...(existingTargets[folder] ?? [])]);
}

/** Tests whether cached output contains all targets that its document needs. */
export function hasTargets(
  { folder, targets }: Pick<CachedOutput, "folder" | "targets">,
  settings: ApiSettings,
  context: Pick<GenerateContext, "existingTargets">,
): boolean {
  const expected = namesOf(targetsFor(folder, settings, context));
  return expected.join() === targets.join();
}

function withExistingTargets(
  folder: string,
  settings: ApiSettings,
  context: GenerateContext,
  sink: Sink,
): Target[] {
  const targets = targetsFor(folder, settings, context);
  const requested = new Set(namesOf(targetsOf(settings.target)));
  const added = namesOf(targets).filter((name) => !requested.has(name));
  if (added.length === 0) return targets;
  sink.report(
    "target-kept",
    `${folder} also contains output of ${added.join(", ")}, which is generated again`,
  );
  return targets;
}

/** Returns the names of targets. */
function namesOf(targets: readonly Target[]): string[] {
  return targets.map(({ name }) => name);
}

/**
 * Formats files, if there is a formatter, and adds maps to declarations, which
 * contain positions in the formatted files.
 */
export async function formatFiles(
  files: readonly OutputFile[],
  { formatter }: Pick<GenerateContext, "formatter">,
): Promise<readonly OutputFile[]> {
  const formatted =
    formatter === undefined
      ? files
      : await Promise.all(
          files.map(async (file) => ({
            ...file,
            text: await formatter.format(file),
          })),
        );
  return formatted.some(({ path }) => path.endsWith(".d.ts"))
    ? withDeclarationMaps(formatted)
    : formatted;
}

function locateFindings(
  diagnostics: Diagnostic[],
  text: string | undefined,
  locateInfo: boolean,
): Diagnostic[] {
  const isLocated = ({ severity }: Diagnostic): boolean =>
    locateInfo || severity !== "info";
  return text === undefined
    ? diagnostics
    : locate(diagnostics, text, isLocated);
}
