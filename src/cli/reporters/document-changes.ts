import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import type { DiffSection } from "../../config/gen-config.js";
import { DiffPolicy } from "../../diff/policy.js";
import { changesSinceGenerated } from "../../diff/previous-documents.js";
import { countsOf, headline } from "../../diff/reporters/text.js";
import { mostSevere } from "../../diff/severity.js";
import type { Comparison } from "../../diff/compare.js";
import { Sink } from "../../diagnostics/sink.js";
import {
  editDocument,
  type EditSettings,
} from "../../generate/edit-document.js";
import type { RawDocument } from "../../load/raw.js";
import { MANIFEST } from "../../write/manifest.js";

/** Maximum number of listed APIs, and of listed changes for each API. */
const MAX_APIS = 10;
const MAX_CHANGES = 5;

/** Documents and output folder of a run with `--check`. */
export interface CheckedOutput {
  readonly spec: readonly string[];
  readonly out: string;
  readonly trustProse?: boolean;
  /**
   * Patches and method selections of the documents, keyed by `--spec` argument.
   */
  readonly settings?: ReadonlyMap<string, EditSettings>;
  /** Section `diff` of the config. */
  readonly policy?: DiffSection | undefined;
}

/**
 * Describes how documents changed since the output was generated, for a check
 * that found outdated output. The result is empty if git contains no earlier
 * versions.
 */
export async function documentChanges(
  { spec, out, trustProse, settings, policy }: CheckedOutput,
  cwd: string,
): Promise<string> {
  const manifest = path.join(out, MANIFEST);
  const changed = await changesSinceGenerated(spec, manifest, cwd, {
    trustProse,
    policy: new DiffPolicy(policy),
    edit: (document, name) => edited(document, settings?.get(name) ?? {}),
  });
  if (changed === undefined || changed.comparisons.length === 0) return "";
  const { commit, comparisons } = changed;
  const rest = comparisons.length - MAX_APIS;
  return [
    `documents that changed since the output was generated (commit ${commit}):`,
    ...comparisons.slice(0, MAX_APIS).flatMap(lines),
    ...(rest > 0 ? [`  ${formatCount(rest, "more document")} changed`] : []),
    "",
  ].join("\n");
}

/**
 * Returns the patched document with the selected methods; undefined if a patch
 * fails.
 */
async function edited(
  document: RawDocument,
  settings: EditSettings,
): Promise<RawDocument | undefined> {
  const sink = new Sink();
  const result = await editDocument(document, settings, sink);
  return sink.hasErrors ? undefined : result.document;
}

function lines({ result, old, new: now }: Comparison): string[] {
  const { changes } = result;
  const shown = changes
    .filter((change) => mostSevere(change) !== "info")
    .slice(0, MAX_CHANGES);
  return [
    `  ${headline(result)}: ${countsOf(changes)}`,
    ...shown.map((change) =>
      visible(`    ${mostSevere(change)} ${change.message}`),
    ),
    ...(changes.length > shown.length
      ? [visible(`    all changes: gen diff ${old!.file} ${now!.file}`)]
      : []),
  ];
}
