import type { Diagnostic } from "../diagnostics/types.js";
import { loadSource, type Loaded } from "../load/load.js";
import { listSources } from "../load/sources.js";
import type { RemoteOptions } from "../remote/remote-settings.js";
import { buildModel } from "./build-model.js";
import {
  editDocument,
  type EditedDocument,
  type EditSettings,
} from "./edit-document.js";
import { reportFailure } from "./failures.js";
import type { LoadResult } from "./load-result.js";
import { remoteResolver } from "./remote-sources.js";

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

/** Lists, reads and checks documents, and builds their models. Never throws. */
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
    models.push(buildModel(loaded, trustProse, edited));
  }
  return { models, diagnostics };
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
