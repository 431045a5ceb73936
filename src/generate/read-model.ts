import { locate } from "../diagnostics/locate.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadBytes, loadSource, type Loaded } from "../load/load.js";
import { listSources } from "../load/sources.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";
import type { RemoteOptions } from "../remote/remote-options.js";
import {
  editDocument,
  unedited,
  type EditedDocument,
  type EditSettings,
} from "./edit-document.js";
import { reportFailure } from "./failures.js";
import { remoteResolver } from "./remote-sources.js";

/**
 * Model of a document, and findings about the document; the model is absent if
 * a finding is an error.
 */
export interface LoadResult {
  readonly api?: Api;
  /** Document from which the model was built. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Builds the model of a document from its bytes or text. The result has no
 * `api` if the document can't be used. Never throws.
 * @param name name of the file, as shown in diagnostics
 */
export function load(
  bytes: Uint8Array | string,
  name = "document",
): LoadResult {
  return buildModel(loadBytes(Buffer.from(bytes), name), false);
}

/** Models of the documents that the `--spec` arguments select. */
export interface LoadedModels {
  /** Results for the documents, in the order of the arguments. */
  readonly models: readonly LoadResult[];
  /** Findings about the arguments, such as missing files. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings of `readModels`, which builds the models of documents. */
export interface ReadModelsOptions extends EditSettings {
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string | undefined;
  /**
   * True to derive required and read-only properties from "Required." and
   * "Output only." in descriptions. Default: false.
   */
  readonly trustProse?: boolean | undefined;
  /** Options for requests to remote servers. */
  readonly remote?: RemoteOptions | undefined;
}

/**
 * Lists, reads and checks documents, and builds their models. Errors and
 * warnings have positions, information has not. Never throws.
 */
export async function readModels(
  specs: readonly string[],
  {
    cwd = process.cwd(),
    trustProse = false,
    remote = {},
    ...settings
  }: ReadModelsOptions = {},
): Promise<LoadedModels> {
  const { sources, diagnostics } = await listSources(
    specs,
    cwd,
    remoteResolver(remote, cwd),
  );
  const models: LoadResult[] = [];
  for (const source of sources) {
    const loaded = loadSource(source);
    const edited = await edit(loaded, settings);
    models.push(buildModel(loaded, trustProse, edited, isProblem));
  }
  return { models, diagnostics };
}

function isProblem({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

async function edit(
  { document, sink }: Loaded,
  settings: EditSettings,
): Promise<EditedDocument | undefined> {
  try {
    return document && (await editDocument(document, settings, sink));
  } catch (error) {
    reportFailure(error, sink);
    return undefined;
  }
}

/**
 * Builds the model of a document, and adds line and column numbers to the
 * diagnostics about the document.
 *
 * @param isLocated selects the diagnostics that get numbers; default: all
 */
function buildModel(
  { sink, text, document }: Loaded,
  trustProse: boolean,
  edited: EditedDocument | undefined = document && unedited(document),
  isLocated?: (finding: Diagnostic) => boolean,
): LoadResult {
  let api: Api | undefined;
  try {
    api = edited && buildApi(edited.document, sink, { trustProse });
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = edited?.relocate(sink.diagnostics) ?? sink.diagnostics;
  const diagnostics =
    text === undefined ? findings : locate(findings, text, isLocated);
  return api === undefined || sink.hasErrors
    ? { diagnostics }
    : { api, document: { ...edited?.document }, diagnostics };
}
