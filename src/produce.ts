import { locate } from "./diagnostics/locate.js";
import { Sink } from "./diagnostics/sink.js";
import type { Diagnostic } from "./diagnostics/types.js";
import { reportFailure } from "./failure.js";
import { loadBytes } from "./load/load.js";
import { buildApi } from "./model/build/api.js";
import type { Engine } from "./render/engine.js";
import type { OutputFile, Target, TargetOptions } from "./targets/target.js";

/** What turns documents into files, the same for all of a run. */
export interface Work {
  readonly targets: readonly Target[];
  readonly target: TargetOptions;
  /** Renders views; made late, since an unchanged output needs none. */
  readonly engine: () => Engine;
  /** Changes the text of a file before it is compared, e.g. by a formatter. */
  readonly format?: ((file: OutputFile) => Promise<string>) | undefined;
  /** Whether infos get line and column; errors and warnings always do. */
  readonly locateInfo: boolean;
}

/** What came of a document: files, unless the diagnostics say why not. */
export interface Production {
  readonly files?: readonly OutputFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** check → model → render → format, of one document. Never throws. */
export async function produce(
  bytes: Buffer,
  name: string,
  work: Work,
): Promise<Production> {
  const sink = new Sink(name);
  let text: string | undefined;
  let files: readonly OutputFile[] | undefined;
  try {
    const loaded = loadBytes(bytes, name, sink);
    text = loaded.text;
    if (loaded.document !== undefined) {
      const { trustProse } = work.target;
      const api = buildApi(loaded.document, sink, { trustProse });
      if (!sink.failed)
        files = await formatAll(printApi(api, sink, work), work);
    }
  } catch (error) {
    reportFailure(error, sink);
  }
  const diagnostics = place(sink, text, work.locateInfo);
  return files === undefined || sink.failed
    ? { diagnostics }
    : { files, diagnostics };
}

function printApi(
  api: ReturnType<typeof buildApi>,
  sink: Sink,
  { targets, target: options, engine }: Work,
): OutputFile[] {
  return targets.flatMap((target) =>
    target.generate({ api, engine: engine(), options, sink }),
  );
}

/** Runs the formatter, where there is one. */
export async function formatAll(
  files: readonly OutputFile[],
  { format }: Pick<Work, "format">,
): Promise<readonly OutputFile[]> {
  if (format === undefined) return files;
  return Promise.all(
    files.map(async (file) => ({ ...file, text: await format(file) })),
  );
}

function place(
  { diagnostics }: Sink,
  text: string | undefined,
  locateInfo: boolean,
): Diagnostic[] {
  const isWanted = ({ severity }: Diagnostic): boolean =>
    locateInfo || severity !== "info";
  return text === undefined ? diagnostics : locate(diagnostics, text, isWanted);
}
