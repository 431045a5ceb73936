import { hasChanges, type ApiChanges } from "../api-changes.js";
import { preferredIds } from "../api-order.js";
import { summaryOf, type DocumentSummary } from "../document-summary.js";
import type { TryOrigins } from "../try-origins.js";
import { changedApis } from "../changed-apis.js";
import { homeMain } from "../home.js";
import { viewOf, type JsonView } from "../json-view.js";
import { scriptOf } from "../script.js";
import { SearchIndex } from "../search-index.js";
import { styleOf } from "../style.js";
import { apiFiles, renderPage, SITE_NAME, type SiteFile } from "./api-files.js";
import { FileNames } from "./file-names.js";
import { llmsText } from "./markdown.js";
import { placeApi } from "./placement.js";
import { apiKey, staticLinks, type PlacedApi } from "./static-links.js";

/** API of a site, with the data for its pages. */
interface SiteApi extends PlacedApi {
  readonly summary: DocumentSummary;
  readonly document: JsonView;
  readonly changes?: ApiChanges | undefined;
}

/** Optional content of a site. */
export interface SiteContent {
  /**
   * Map from API id to the changes since the previous version of the document.
   */
  readonly changes?: ReadonlyMap<string, ApiChanges>;
  /**
   * Origins to which forms can send requests. If there are no origins, the
   * pages have no forms.
   */
  readonly tryOrigins?: TryOrigins;
}

/** Relative path from a page of an API to the root of the site. */
const TO_ROOT = "../../../";

/**
 * Yields the files of a static site for checked description documents. If
 * several documents have the same name and version, only the first one is used.
 */
export function* buildSite(
  documents: Iterable<Buffer>,
  content: SiteContent = {},
): Generator<SiteFile> {
  const apis = placeAll(documents, content);
  const placed = new Map(apis.map((api) => [apiKey(api.summary), api]));
  const summaries = apis.map(({ summary }) => summary);
  const preferred = preferredIds(summaries);
  const rootLinks = staticLinks(placed, "");
  const index = new SearchIndex(rootLinks);
  for (const { summary, document } of apis) {
    const isPreferred = preferred.has(summary.id);
    index.add({ summary, document, isPreferred });
  }
  yield { path: "style.css", text: styleOf(content.tryOrigins) };
  yield { path: "script.js", text: scriptOf(content.tryOrigins) };
  yield { path: "search.js", text: index.script() };
  yield {
    path: "index.html",
    text: renderPage(rootLinks, {
      title: SITE_NAME,
      main: homeMain(summaries, rootLinks, "", changedApis(apis, rootLinks)),
    }),
  };
  yield { path: "llms.txt", text: llmsText(apis) };
  const links = staticLinks(placed, TO_ROOT);
  for (const api of apis) yield* apiFiles(api, links, content.tryOrigins);
}

/** Assigns a folder and pages to each API. */
function placeAll(
  documents: Iterable<Buffer>,
  content: SiteContent,
): SiteApi[] {
  const names = new FileNames();
  const parents = new Map<string, { folder: string; versions: FileNames }>();
  const apis = new Map<string, SiteApi>();
  for (const bytes of documents) {
    const document = viewOf(bytes);
    const summary = summaryOf(document);
    if (summary === undefined || apis.has(summary.id)) continue;
    let parent = parents.get(summary.name);
    if (parent === undefined) {
      const folder = names.assign(summary.name);
      parent = { folder, versions: new FileNames() };
      parents.set(summary.name, parent);
    }
    const version = parent.versions.assign(summary.version);
    const changes = content.changes?.get(summary.id);
    apis.set(summary.id, {
      summary,
      document,
      folder: `apis/${parent.folder}/${version}`,
      pages: placeApi(document, hasChanges(changes)),
      changes,
    });
  }
  return [...apis.values()];
}
