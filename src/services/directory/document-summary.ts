import type { Icons } from "../../../generated/discovery/v1/schemas.js";
import type { JsonView } from "./json-view.js";

/** What the directory tells of a document without opening it. */
export interface Facts {
  /** `name:version` */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly documentationLink?: string;
  readonly icons?: Icons;
  readonly labels?: readonly string[];
  /** Host of `rootUrl` with its port, for `/$discovery/rest` as API hosts have it. */
  readonly host?: string;
}

/** Longer texts of an entry are cut: a list of hundreds is read as a whole. */
const MAX_TEXT = 2000;

/** The labels that the format knows. */
const LABELS = new Set(["limited_availability", "deprecated"]);

/**
 * Names and versions that can stand in a path as they are. A blank, a slash or
 * a leading dot would make another path of it on the way.
 */
const NAME = /^[A-Za-z0-9_][\w.~:-]{0,127}$/;

/** The facts of a document; undefined where it has no usable name and version. */
export function factsOf(document: JsonView): Facts | undefined {
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
  };
}

function iconsOf(value: unknown): Icons | undefined {
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
