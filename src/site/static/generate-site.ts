import path from "node:path";
import { locate } from "../../diagnostics/locate.js";
import { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { loadBytes, readBytes } from "../../load/load.js";
import { listSources, type Source } from "../../load/sources.js";
import { buildSite, type SiteContent } from "./build-site.js";
import { SiteFolderError, writeSite, type WrittenSite } from "./write-site.js";

/** Result of writing a site. `written` is absent if nothing was written. */
export interface SiteResult {
  readonly written?: WrittenSite;
  /** Number of valid documents. */
  readonly documents: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes a static site for the description documents that `specs` selects.
 * Reports and omits invalid documents.
 */
export async function generateSite(
  specs: readonly string[],
  out: string,
  cwd: string,
  content: SiteContent = {},
): Promise<SiteResult> {
  const listing = await listSources(specs, cwd);
  const diagnostics: Diagnostic[] = [...listing.diagnostics];
  const documents = listing.sources.flatMap((source) => {
    const checked = readValid(source);
    diagnostics.push(...checked.diagnostics);
    return checked.bytes === undefined ? [] : [checked.bytes];
  });
  if (documents.length === 0) return { documents: 0, diagnostics };
  const result = write(documents, path.resolve(cwd, out), content);
  diagnostics.push(...result.diagnostics);
  return { ...result, documents: documents.length, diagnostics };
}

/** Reads a document. The result has no `bytes` if the document is invalid. */
function readValid(source: Source): {
  readonly bytes?: Buffer;
  readonly diagnostics: readonly Diagnostic[];
} {
  const sink = new Sink(source.name);
  const bytes = readBytes(source, sink);
  if (bytes === undefined) return { diagnostics: sink.diagnostics };
  const { text, document } = loadBytes(bytes, source.name, sink);
  const diagnostics =
    text === undefined ? sink.diagnostics : locate(sink.diagnostics, text);
  return document === undefined || sink.hasErrors
    ? { diagnostics }
    : { bytes, diagnostics };
}

function write(
  documents: readonly Buffer[],
  folder: string,
  content: SiteContent,
): Pick<SiteResult, "written" | "diagnostics"> {
  const sink = new Sink();
  try {
    return {
      written: writeSite(folder, buildSite(documents, content)),
      diagnostics: [],
    };
  } catch (error) {
    const isForeign = error instanceof SiteFolderError;
    sink.report(
      isForeign ? "site-folder" : "output-unwritable",
      (error as Error).message,
    );
    return { diagnostics: sink.diagnostics };
  }
}
