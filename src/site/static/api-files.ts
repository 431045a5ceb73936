import { formatCount } from "../../diagnostics/format-count.js";
import { Sink } from "../../diagnostics/sink.js";
import { printOpenapi } from "../../targets/openapi/print.js";
import {
  CHANGE_SECTIONS,
  MAX_CHANGES,
  summaryText,
  type ApiChanges,
} from "../api-changes.js";
import { apiMain } from "../api.js";
import { changesMain } from "../changes.js";
import type { DocumentSummary } from "../document-summary.js";
import type { MethodFeatures } from "../method-features.js";
import { html, type Html } from "../html.js";
import type { JsonView } from "../json-view.js";
import { layout, type PageParts } from "../layout.js";
import type { Api } from "../../model/ir.js";
import type { Links } from "../links.js";
import { methodSection } from "../method.js";
import { apiNavigation } from "../navigation.js";
import { parseMethod, type MethodView } from "../outline.js";
import { pageContextOf, schemaIn, type PageContext } from "../page-context.js";
import { schemaSection } from "../schema.js";
import { safeJson, schemasScript } from "../schemas-script.js";
import { tasksMain, tasksOf } from "../tasks.js";
import { connectDirective, type TryOrigins } from "../try-form.js";
import {
  apiMarkdown,
  code,
  inline,
  methodsMarkdown,
  schemasMarkdown,
  sections,
} from "./markdown.js";
import type { PlacedApi, ResourcePage, SchemaPage } from "./placement.js";

/**
 * File of a site. The path is relative to the root of the site and contains
 * forward slashes.
 */
export interface SiteFile {
  readonly path: string;
  readonly text: string;
}

/** Title of the home page of a site. */
export const SITE_NAME = "API reference";

/**
 * Directives of a content security policy that allows pages to load only files
 * of the site.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' file:",
  "script-src 'self' file:",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");

/** Yields the pages of an API in HTML and in Markdown. */
export function* apiFiles(
  api: PlacedApi & {
    readonly summary: DocumentSummary;
    readonly document: JsonView;
    readonly changes?: ApiChanges | undefined;
    /** Model of the document; undefined if it is not valid. */
    readonly model: Api | undefined;
    readonly features: MethodFeatures;
  },
  links: Links,
  tryOrigins: TryOrigins = [],
): Generator<SiteFile> {
  const { summary, document, folder, pages, changes, model, features } = api;
  const context = pageContextOf(summary, document, links, {
    changes,
    tryOrigins,
    features,
  });
  const home = {
    text: `${summary.name} ${summary.version}`,
    href: links.api(summary),
  };
  const navigation = apiNavigation(context, document);
  const file = (
    path: string,
    parts: PageParts,
    page: { current?: string; methods?: readonly MethodView[] } = {},
  ): SiteFile => {
    const current = `${links.root}${folder}/${path}.html`;
    const aside = navigation({ current, ...page });
    const crumbs = [home, ...(parts.crumbs ?? [])];
    const all = {
      ...parts,
      crumbs,
      aside,
      api: home.text,
      schemas: links.schemasScript(summary),
    };
    return {
      path: `${folder}/${path}.html`,
      text: renderPage(links, all, tryOrigins),
    };
  };
  const main = apiMain(context, document, "");
  yield file("index", { title: summary.title, main });
  yield { path: `${folder}/index.md`, text: apiMarkdown(api) };
  yield { path: `${folder}/schemas.js`, text: schemasScript(document) };
  yield {
    path: `${folder}/document.json`,
    text: safeJson(
      document.bytes.toString("utf8", document.start, document.end),
    ),
  };
  if (model !== undefined)
    yield {
      path: `${folder}/openapi.json`,
      text: safeJson(
        printOpenapi({
          api: model,
          options: { importSuffix: ".js", trustProse: false },
          sink: new Sink(),
        })[0]!.text,
      ),
    };
  if (tasksOf(context, document).length > 0)
    yield file("tasks", {
      title: `Tasks – ${summary.title}`,
      crumbs: [{ text: "tasks", href: links.tasks(summary) }],
      main: tasksMain(context, document),
    });
  if (changes !== undefined && pages.changes !== undefined) {
    yield file(pages.changes, changesParts(context, changes));
    const text = changesMarkdown(summary, changes);
    yield { path: `${folder}/${pages.changes}.md`, text };
  }
  for (const page of pages.resources) {
    const { path, methods } = page;
    const current = links.resource(summary, page.names);
    yield file(path, resourceParts(context, page), { current, methods });
    const text = methodsMarkdown(context, methods);
    yield { path: `${folder}/${path}.md`, text };
  }
  for (const page of pages.schemas) {
    const { path, ids } = page;
    yield file(path, schemasParts(context, document, page, pages.schemas));
    const text = schemasMarkdown(context, document, ids);
    yield { path: `${folder}/${path}.md`, text };
  }
}

function changesParts(api: PageContext, changes: ApiChanges): PageParts {
  const href = api.links.changes?.(api.summary) ?? "";
  return {
    title: `Changes – ${api.summary.title}`,
    crumbs: [{ text: "changes", href }],
    main: changesMain(api, changes),
  };
}

function resourceParts(
  api: PageContext,
  { names, methods }: ResourcePage,
): PageParts {
  const name = names.length === 0 ? "methods" : names.join(".");
  const sections = methods.map((method) =>
    methodSection(api, method.names, parseMethod(method), 2),
  );
  return {
    title: `${name} – ${api.summary.title}`,
    crumbs: [{ text: name, href: api.links.resource(api.summary, names) }],
    main: html`<h1>${name}</h1>
      ${sections}`,
  };
}

function schemasParts(
  api: PageContext,
  document: JsonView,
  { path, ids }: SchemaPage,
  pages: readonly SchemaPage[],
): PageParts {
  const { summary, links } = api;
  const at = pages.findIndex((page) => page.path === path);
  // The first page lists all others; these list their neighbours.
  const others = pages.filter(
    (_, index) =>
      index !== at && (at === 0 || index === 0 || Math.abs(index - at) === 1),
  );
  const sections = ids.map((id) => {
    const schema = schemaIn(document, id);
    return schema !== undefined && schemaSection(api, id, schema, 2);
  });
  return {
    title: `Schemas – ${summary.title}`,
    crumbs: [{ text: "schemas", href: links.schemas(summary) }],
    main: html`<h1>Schemas of ${summary.title}</h1>
      ${others.length > 0 && otherPages(api, others)} ${sections}`,
  };
}

function otherPages(
  { summary, links }: PageContext,
  pages: readonly SchemaPage[],
): Html {
  const items = pages.map(
    ({ ids }) =>
      html`<li>
        <a href="${links.schema(summary, ids[0]!)}"
          >${ids[0]} – ${ids.at(-1)}</a
        >
      </li> `,
  );
  return html`<nav aria-label="More schemas">
    <ul class="schemas">
      ${items}
    </ul>
  </nav>`;
}

export function renderPage(
  links: Links,
  parts: PageParts,
  tryOrigins: TryOrigins = [],
): string {
  const footer = html`<p>
    For language models: <a href="${links.root}llms.txt">llms.txt</a>. Each page
    also exists as Markdown, with the extension <code>.md</code>.
  </p>`;
  const policy =
    tryOrigins.length === 0
      ? POLICY
      : `${POLICY}; ${connectDirective(tryOrigins)}`;
  return layout(parts, { links, name: SITE_NAME, footer, policy }).markup;
}

/** Returns a Markdown page with the changes of an API, grouped by kind. */
function changesMarkdown(
  { title }: DocumentSummary,
  { from, to, changes }: ApiChanges,
): string {
  const parts = CHANGE_SECTIONS.flatMap(([kind, heading]) => {
    const items = changes.filter((change) => change.kind === kind);
    const lines = items
      .slice(0, MAX_CHANGES)
      .map(
        ({ label, text, isBreaking }) =>
          `- ${isBreaking ? "**Breaking:** " : ""}${code(label)}: ${inline(text)}`,
      );
    const left = items.length - MAX_CHANGES;
    if (left > 0)
      lines.push(`- Not shown: ${formatCount(left, "more change")}.`);
    return lines.length === 0 ? [] : [`## ${heading}`, lines.join("\n")];
  });
  return sections([
    `# Changes to ${inline(title)}`,
    `From revision ${inline(from ?? "(none)")} to ${inline(to ?? "(none)")}: ${summaryText(changes)}.`,
    ...parts,
  ]);
}
