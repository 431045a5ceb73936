import type { OptionValues } from "./options.js";
import type { PatchFile } from "../patch/patch-file.js";
import { hash } from "../platform/hash.js";

/** Settings that affect the output of one document. */
export interface ApiSettings extends ExportSettings {
  /** Names of the targets to generate. */
  readonly target: readonly string[];
  /**
   * True to derive required and read-only properties from "Required." and
   * "Output only." in descriptions.
   */
  readonly trustProse: boolean;
  /**
   * Selectors of the methods to generate; an empty list selects all methods.
   */
  readonly include?: readonly string[] | undefined;
  /** Selectors of methods to exclude. */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Patches to apply to this document; patches of other documents are ignored.
   */
  readonly patches?: readonly PatchFile[] | undefined;
}

/** Settings of the targets `openapi` and `json-schema`. */
export type ExportSettings = Pick<
  OptionValues,
  "openapiFormat" | "openapiSplit" | "jsonSchemaSplit"
>;

/**
 * Returns the settings of the targets `openapi` and `json-schema` without
 * members that have the default value, so that equal settings have equal
 * hashes.
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

/** Documents of a run that have the same settings. */
export interface SpecSettings {
  /** File, folder or glob of the documents, or `-` for standard input. */
  readonly spec: string;
  readonly settings: ApiSettings;
}

/**
 * Returns a hash of settings, which is used to detect unchanged inputs. The
 * paths of patch files and positions in these files are excluded, since they do
 * not affect output. Targets are excluded, because targets of earlier runs are
 * generated too.
 */
export function settingsHash(settings: ApiSettings): string {
  const { patches, target: _, ...others } = settings;
  return hash(JSON.stringify([others, patches?.map(contentOf)]));
}

function contentOf({ api, revision, digest, operations }: PatchFile): unknown {
  return [
    api,
    revision,
    digest,
    operations.map((operation) => ({ ...operation, line: 0, column: 0 })),
  ];
}
