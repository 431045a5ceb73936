import type { JsonView } from "./json-view.js";

/** Fields of a document that are shown in the list of APIs. */
export interface DocumentSummary {
  /** Id in the form `name:version`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly documentationLink?: string;
  readonly icons?: { readonly x16: string; readonly x32: string };
  readonly labels?: readonly string[];
  /**
   * Host and port of `rootUrl`. Used to find the document for a
   * `/$discovery/rest` request.
   */
  readonly host?: string;
  /** True if the document has methods or resources. */
  readonly hasMethods: boolean;
}

/**
 * Maximum number of characters of a string in the list of APIs. The limit keeps
 * the response small, because the list can have hundreds of entries.
 */
const MAX_TEXT = 2000;

/** Labels that the description format defines. */
const LABELS = new Set(["limited_availability", "deprecated"]);

/**
 * Pattern for names and versions that can be used in URL paths. Spaces, slashes
 * and leading dots are not allowed, because clients and proxies may change such
 * paths.
 */
const NAME = /^[A-Za-z0-9_][\w.~:-]{0,127}$/;

/**
 * Returns the fields of a document that are shown in the list of APIs;
 * undefined if the document's name or version is invalid.
 */
export function summaryOf(document: JsonView): DocumentSummary | undefined {
  const text = (name: string): string | undefined =>
    document.at(name)?.text()?.slice(0, MAX_TEXT);
  const name = text("name");
  const version = text("version");
  if (name === undefined || !NAME.test(name)) return undefined;
  if (version === undefined || !NAME.test(version)) return undefined;
  const documentationLink = text("documentationLink");
  const icons = iconsOf(document.at("icons")?.value());
  const labels = labelsOf(document.at("labels")?.value());
  const host = hostOf(text("rootUrl") ?? text("baseUrl"));
  return {
    id: `${name}:${version}`,
    name,
    version,
    title: text("title") ?? text("canonicalName") ?? name,
    description: text("description") ?? "",
    ...(documentationLink === undefined ? {} : { documentationLink }),
    ...(icons === undefined ? {} : { icons }),
    ...(labels === undefined ? {} : { labels }),
    ...(host === undefined ? {} : { host }),
    hasMethods: ["methods", "resources"].some(
      (member) => (document.at(member)?.members.size ?? 0) > 0,
    ),
  };
}

function iconsOf(value: unknown): DocumentSummary["icons"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { x16, x32 } = value as { x16?: unknown; x32?: unknown };
  if (typeof x16 !== "string" || typeof x32 !== "string") return undefined;
  return { x16, x32 };
}

function labelsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const labels = value.filter(
    (label): label is string => typeof label === "string" && LABELS.has(label),
  );
  return labels.length === 0 ? undefined : labels;
}

function hostOf(rootUrl: string | undefined): string | undefined {
  if (rootUrl === undefined || !URL.canParse(rootUrl)) return undefined;
  return new URL(rootUrl).host;
}
