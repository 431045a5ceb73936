import type { Diagnostic } from "../diagnostics/types.js";
import type { Comparison } from "../diff/compare.js";
import { lockedNames, lockFiles } from "../diff/lock-operands.js";
import {
  compareWithPrevious,
  type PreviousSource,
} from "../diff/previous-documents.js";
import { mostSevere } from "../diff/severity.js";
import type { ApiChanges } from "../site/api-changes.js";
import type { SiteContent } from "../site/static/build-site.js";
import { projectFinder } from "./diff-project.js";

/** Compares the documents of a site with their previous versions. */
export async function compareSiteDocuments(
  specs: readonly string[],
  source: PreviousSource,
  cwd: string,
  noConfig?: boolean,
): Promise<{
  readonly content: SiteContent;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const findProject = projectFinder(undefined, cwd, noConfig);
  const { comparisons, diagnostics } = await compareWithPrevious(
    specs,
    {
      ...source,
      resolvers: [lockedNames(findProject), lockFiles(findProject)],
    },
    cwd,
  );
  return { content: { changes: siteChanges(comparisons) }, diagnostics };
}

/** Returns the changes that a site shows, keyed by API id. */
function siteChanges(
  comparisons: ReadonlyMap<string, Comparison>,
): Map<string, ApiChanges> {
  return new Map(
    [...comparisons]
      // An API without a current document is omitted, because the site has no
      // pages for it.
      .filter(([, { new: now }]) => now !== undefined)
      .map(([api, comparison]) => [api, changesOf(comparison)]),
  );
}

function changesOf({ result, old }: Comparison): ApiChanges {
  return {
    from: old === undefined ? null : result.from,
    to: result.to,
    changes: result.changes.map((change) => ({
      kind: change.kind,
      label: change.label,
      text: change.text,
      isBreaking: mostSevere(change) === "breaking",
      pointer: change.side === "new" ? change.pointer : undefined,
    })),
  };
}
