import { locate } from "../diagnostics/locate.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { reportFailure } from "./failures.js";
import { loadBytes } from "../load/load.js";
import { buildApi } from "../model/build/api.js";
import type { Formatter } from "../render/prettier.js";
import type { Engine } from "../render/engine.js";
import { apiFolder } from "../targets/shared/api-folder.js";
import { printApi } from "../targets/print-api.js";
import { targetsOf } from "../targets/index.js";
import type { Target, TargetOptions } from "../targets/target.js";
import type { OutputFile } from "../render/output-file.js";

/** What turns documents into files, the same for all of a run. */
export interface GenerateContext {
  readonly targets: readonly Target[];
  readonly target: TargetOptions;
  /** Renders views; made late, since an unchanged output needs none. */
  readonly engine: () => Engine;
  /** Targets by API folder that are printed too, since the output has them. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
  /** Changes the text of a file before it is compared. */
  readonly formatter?: Formatter | undefined;
  /** Whether infos get line and column; errors and warnings always do. */
  readonly locateInfo: boolean;
}

/** What came of a document: files, unless the diagnostics say why not. */
export interface ApiOutput {
  readonly files?: readonly OutputFile[];
  /** Names of the targets that were printed. */
  readonly targets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** check → model → render → format, of one document. Never throws. */
export async function generateApi(
  bytes: Buffer,
  name: string,
  work: GenerateContext,
): Promise<ApiOutput> {
  const sink = new Sink(name);
  let text: string | undefined;
  let files: readonly OutputFile[] | undefined;
  let targets: readonly string[] = [];
  try {
    const loaded = loadBytes(bytes, name, sink);
    text = loaded.text;
    if (loaded.document !== undefined) {
      const { trustProse } = work.target;
      const api = buildApi(loaded.document, sink, { trustProse });
      const all = withKept(apiFolder(api), work, sink);
      targets = namesOf(all.targets);
      if (!sink.failed) {
        const engine = work.engine();
        const printed = printApi(api, all.targets, all.target, engine, sink);
        files = await formatAll(printed, work);
      }
    }
  } catch (error) {
    reportFailure(error, sink);
  }
  const diagnostics = withPositions(sink, text, work.locateInfo);
  return files === undefined || sink.failed
    ? { targets, diagnostics }
    : { files, targets, diagnostics };
}

/** All targets of a run for an API's folder: those asked for, and those that it has. */
export function targetsFor(
  folder: string,
  { targets, kept }: GenerateContext,
): Target[] {
  return targetsOf([...namesOf(targets), ...(kept[folder] ?? [])]);
}

function withKept(
  folder: string,
  work: GenerateContext,
  sink: Sink,
): GenerateContext {
  const targets = targetsFor(folder, work);
  if (targets.length === work.targets.length) return work;
  const names = namesOf(targets);
  const asked = new Set(namesOf(work.targets));
  const more = names.filter((name) => !asked.has(name)).join(", ");
  sink.report("target-kept", `${folder} has the output of ${more} already`);
  return { ...work, targets, target: { ...work.target, targets: names } };
}

/** Names of targets, in the order in which they print. */
export function namesOf(targets: readonly Target[]): string[] {
  return targets.map(({ name }) => name);
}

/** Runs the formatter, where there is one. */
export async function formatAll(
  files: readonly OutputFile[],
  { formatter }: Pick<GenerateContext, "formatter">,
): Promise<readonly OutputFile[]> {
  if (formatter === undefined) return files;
  return Promise.all(
    files.map(async (file) => ({
      ...file,
      text: await formatter.format(file),
    })),
  );
}

function withPositions(
  { diagnostics }: Sink,
  text: string | undefined,
  locateInfo: boolean,
): Diagnostic[] {
  const isWanted = ({ severity }: Diagnostic): boolean =>
    locateInfo || severity !== "info";
  return text === undefined ? diagnostics : locate(diagnostics, text, isWanted);
}
