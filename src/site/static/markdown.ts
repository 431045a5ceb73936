import { INVISIBLE, replaceInvisible } from "../../diagnostics/invisible.js";
import { formatCount } from "../../diagnostics/format-count.js";
import type { RawSchema } from "../../load/raw.js";
import { summaryText, type ApiChanges } from "../api-changes.js";
import { pathOf } from "../calls.js";
import type { DocumentSummary } from "../document-summary.js";
import { wellFormed } from "../html.js";
import type { JsonView } from "../json-view.js";
import { clientSample } from "../method.js";
import { parseErrorRules } from "../../model/build/extensions.js";
import { parseMethod, type MethodView } from "../outline.js";
import { schemaIn, type PageContext } from "../page-context.js";
import { typeText } from "../type-text.js";
import type { ApiPages } from "./placement.js";

/** Maximum number of characters of a description that a Markdown page shows. */
const MAX_TEXT = 2000;

/** API with the paths of its Markdown pages. */
interface MarkdownApi {
  readonly summary: DocumentSummary;
  readonly folder: string;
  readonly pages: ApiPages;
  readonly changes?: ApiChanges | undefined;
}

/**
 * Returns the content of `llms.txt`, which lists the APIs with links to their
 * Markdown pages.
 */
export function llmsText(apis: readonly MarkdownApi[]): string {
  const lines = apis.map(({ summary, folder }) => {
    const { title, version, description } = summary;
    return `- [${inline(title)} ${inline(version)}](${folder}/index.md): ${inline(description)}`;
  });
  const changed = apis.flatMap(({ summary, folder, pages, changes }) => {
    if (changes === undefined || pages.changes === undefined) return [];
    const { title, version } = summary;
    return `- [${inline(title)} ${inline(version)}](${folder}/${pages.changes}.md): ${summaryText(changes.changes)} since revision ${inline(changes.from ?? "")}`;
  });
  return sections([
    "# API reference",
    `> Methods and schemas of ${formatCount(apis.length, "API")}. Each page is available as HTML and as Markdown.`,
    "## APIs",
    lines.join("\n"),
    changed.length === 0 ? "" : `## Changes\n\n${changed.join("\n")}`,
  ]);
}

/** Returns the overview page of an API, with links to its other pages. */
export function apiMarkdown({ summary, pages, changes }: MarkdownApi): string {
  const methods = pages.resources.flatMap(({ path, methods: list }) =>
    list.map(({ names, view }) => {
      const description = view.at("description")?.text();
      return `- [${inline(names.join("."))}](${path}.md): ${inline(description)}`;
    }),
  );
  const schemas = pages.schemas.flatMap(({ path, ids }) =>
    ids.map((id) => `- [${inline(id)}](${path}.md)`),
  );
  const { title, name, version, description } = summary;
  return sections([
    `# ${inline(title)} (${inline(name)} ${inline(version)})`,
    inline(description),
    changesLink(changes, pages.changes),
    "## Methods",
    methods.join("\n"),
    "## Schemas",
    schemas.join("\n"),
  ]);
}

/**
 * Returns a link to the page with the changes; an empty string if there is
 * none.
 */
function changesLink(
  changes: ApiChanges | undefined,
  path: string | undefined,
): string {
  if (changes === undefined || path === undefined) return "";
  const text = `${summaryText(changes.changes)} since revision ${changes.from}`;
  return `Changes: [${inline(text)}](${path}.md)`;
}

/**
 * Returns a Markdown page about methods, with their parameters and a sample
 * call for each.
 */
export function methodsMarkdown(
  api: PageContext,
  methods: readonly MethodView[],
): string {
  return sections(methods.flatMap((view) => methodSections(api, view)));
}

function methodSections(api: PageContext, view: MethodView): string[] {
  const method = parseMethod(view);
  const { httpMethod = "GET", parameters = {}, request, response } = method;
  const rows = Object.entries(parameters).map(([name, schema]) => {
    const { location = "query", required, description } = schema;
    const must = required === true ? ", required" : "";
    return `- ${code(name)} (${inline(location)}, ${typeOf(schema)}${must}): ${inline(description)}`;
  });
  const errors = parseErrorRules(method["x-errors"]).map(
    ({ status, description }) => `- ${code(status)}: ${inline(description)}`,
  );
  const scopes = (method.scopes ?? []).map(code).join(", ");
  return [
    `## ${inline(view.names.join("."))}`,
    code(`${httpMethod} /${pathOf(api.callContext, method)}`),
    inline(method.description),
    fenced(clientSample(api, view.names, method)),
    rows.length === 0 ? "" : `Parameters:\n\n${rows.join("\n")}`,
    request === undefined ? "" : `Request body: ${typeOf(request)}`,
    response === undefined ? "" : `Response: ${typeOf(response)}`,
    errors.length === 0 ? "" : `Errors:\n\n${errors.join("\n")}`,
    scopes === "" ? "" : `Requires one of these scopes: ${scopes}`,
  ];
}

/** Returns a Markdown page about schemas, with their properties. */
export function schemasMarkdown(
  { summary }: PageContext,
  document: JsonView,
  ids: readonly string[],
): string {
  const parts = ids.flatMap((id) => {
    const schema = schemaIn(document, id) ?? {};
    const { description, properties = {} } = schema;
    const rows = Object.entries(properties).map(
      ([name, property]) =>
        `- ${code(name)} (${typeOf(property)}): ${inline(property.description)}`,
    );
    const type =
      schema["x-one-of"] === undefined ? "" : `Type: ${typeOf(schema)}`;
    return [`## ${inline(id)}`, inline(description), type, rows.join("\n")];
  });
  return sections([`# Schemas of ${inline(summary.title)}`, ...parts]);
}

/** Joins the non-empty sections of a page. */
export function sections(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function typeOf(schema: RawSchema): string {
  return typeText(schema, inline);
}

/**
 * Formats text as a single line of Markdown. Characters with a special meaning
 * in Markdown are escaped.
 */
export function inline(text: string | undefined): string {
  return plain(text ?? "")
    .replace(/[\\`*_[\]<>#|!~]/g, "\\$&")
    .replace(/^(?:[-+]|\d+(?=[.)]))/, "\\$&");
}

/** Formats text as a Markdown code span. */
export function code(text: string): string {
  return `\`${plain(text).replaceAll("`", "'")}\``;
}

function fenced(text: string): string {
  return `\`\`\`ts\n${replaceInvisible(wellFormed(text)).replaceAll("```", "` ` `")}\n\`\`\``;
}

const UNPRINTED = new RegExp(`[\\u0000-\\u0020\\s${INVISIBLE}]+`, "g");

/** Returns text without line breaks, control and invisible characters. */
function plain(text: string): string {
  return wellFormed(text.slice(0, MAX_TEXT)).replace(UNPRINTED, " ").trim();
}
