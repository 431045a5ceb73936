import type { PatchFile } from "../patch/patch-file.js";
import { hash } from "../platform/hash.js";

/**
 * Settings of one document that affect its output. They are plain data, since
 * they are sent to the worker thread.
 */
export interface ApiSettings extends ExportSettings {
  /** Names of the targets to generate. */
  readonly target: readonly string[];
  /** Uses "Required." and "Output only." in descriptions for types. */
  readonly trustProse: boolean;
  /** Selectors of the methods to generate; all methods if it is empty. */
  readonly include?: readonly string[] | undefined;
  /** Selectors of methods to omit. */
  readonly exclude?: readonly string[] | undefined;
  /** Patches of this document; patches of other documents are ignored. */
  readonly patches?: readonly PatchFile[] | undefined;
}

/** Settings of the targets `openapi` and `json-schema`. */
export interface ExportSettings {
  /** Format of OpenAPI documents. Default: `"json"`. */
  readonly openapiFormat?: "json" | "yaml";
  /** Writes a file for each path and schema of OpenAPI. Default: false. */
  readonly openapiSplit?: boolean;
  /** Writes a file for each JSON Schema. Default: false. */
  readonly jsonSchemaSplit?: boolean;
}

/**
 * Returns the settings of the exports without defaults, so that equal settings
 * have equal hashes.
 */
export function exportSettings({
  openapiFormat,
  openapiSplit,
  jsonSchemaSplit,
}: ExportSettings): ExportSettings {
  return {
    ...(openapiFormat === "yaml" ? { openapiFormat } : {}),
    ...(openapiSplit === true ? { openapiSplit } : {}),
    ...(jsonSchemaSplit === true ? { jsonSchemaSplit } : {}),
  };
}

/** Documents of a run that share settings. */
export interface SpecSettings {
  /** Document as a file, folder or glob, or `-` for standard input. */
  readonly spec: string;
  readonly settings: ApiSettings;
}

/**
 * Returns the hash of settings, by which unchanged inputs are recognised.
 * Excludes the paths of patch files and the positions in them, which do not
 * affect output.
 */
export function settingsHash({ patches, ...settings }: ApiSettings): string {
  return hash(JSON.stringify([settings, patches?.map(contentOf)]));
}

function contentOf({ api, revision, digest, operations }: PatchFile): unknown {
  return [
    api,
    revision,
    digest,
    operations.map((operation) => ({ ...operation, line: 0, column: 0 })),
  ];
}
