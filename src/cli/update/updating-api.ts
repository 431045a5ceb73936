import type { KeptReason } from "../../config/gen-config.js";
import type { JobApi } from "../../config/job.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { PatchFile, PatchOperation } from "../../patch/patch-file.js";
import type { Candidate } from "../../remote/fetch-latest.js";
import type { DocumentChange } from "../../remote/store-documents.js";

/** Patches of an API whose changes the latest document contains. */
export interface PatchState {
  /** Adopted operations, keyed by patch file. */
  readonly adopted: ReadonlyMap<PatchFile, readonly PatchOperation[]>;
  /** Contents of changed patch files before the update, keyed by path. */
  readonly before: Map<string, string>;
  /** Removed operations, as `file: kind at`. */
  readonly pruned: string[];
}

/** State of an API during an update. */
export interface UpdatingApi {
  /** Entries of the API in the jobs of the config. */
  readonly jobApis: readonly [JobApi, ...JobApi[]];
  /** Latest document; absent for documents of the project. */
  readonly candidate?: Candidate;
  /** Stored document before the update; absent if there was none. */
  readonly before?: Buffer;
  /** Change of the document and its lock entry; absent if there is none. */
  readonly change?: DocumentChange;
  patches?: PatchState;
  /** Reason to keep the previous document and output, with its findings. */
  kept?: { readonly reason: KeptReason; readonly findings: Diagnostic[] };
}
