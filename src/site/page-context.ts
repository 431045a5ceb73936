import type { RawSchema } from "../load/raw.js";
import { documentationOrigin } from "../model/infer/absolute-links.js";
import type { ApiChanges } from "./api-changes.js";
import type { CallContext } from "./calls.js";
import type { DocumentSummary } from "./document-summary.js";
import { featuresOf, type MethodFeatures } from "./method-features.js";
import type { JsonView } from "./json-view.js";
import type { Links } from "./links.js";
import { resourcesOf } from "./outline.js";
import type { TryOrigins } from "./try-form.js";

/** API data that the pages of the API display. */
export interface PageContext {
  readonly summary: DocumentSummary;
  readonly links: Links;
  readonly callContext: CallContext;
  /**
   * Changes since the previous version of the document; absent if the site does
   * not show them.
   */
  readonly changes?: ApiChanges | undefined;
  /**
   * Origins to which the forms on method pages can send requests. If there are
   * no origins, the pages have no forms.
   */
  readonly tryOrigins?: TryOrigins | undefined;
  /** Map from OAuth scope to its description. */
  readonly scopes: ReadonlyMap<string, string>;
  /**
   * Returns the schema with an id; undefined if the document does not contain
   * it.
   */
  readonly find: (id: string) => RawSchema | undefined;
  /** Origin of the documentation, for links in descriptions without one. */
  readonly origin: string | undefined;
  /** Features of each method; see `methodKey`. */
  readonly features: MethodFeatures;
  /**
   * Number of the API's methods that accept a scope. A scope that fewer methods
   * accept permits less.
   */
  readonly scopeUses: ReadonlyMap<string, number>;
}

/**
 * Maximum number of characters of the URL in sample calls, which each method
 * repeats.
 */
const MAX_URL = 2_000;

/** Returns the API data that the pages of the API display. */
export function pageContextOf(
  summary: DocumentSummary,
  document: JsonView,
  links: Links,
  options: Pick<PageContext, "changes" | "tryOrigins"> & {
    readonly features?: MethodFeatures;
  } = {},
): PageContext {
  const text = (name: string): string => document.at(name)?.text() ?? "";
  const url = (name: string): string => text(name).slice(0, MAX_URL);
  const schemas = new Map<string, RawSchema | undefined>();
  // A schema is parsed once, because the samples of many methods can contain it.
  const find = (id: string): RawSchema | undefined => {
    if (!schemas.has(id)) schemas.set(id, schemaIn(document, id));
    return schemas.get(id);
  };
  const scopes = [...(document.at("auth", "oauth2", "scopes")?.members ?? [])];
  return {
    ...options,
    features: options.features ?? featuresOf(document),
    origin: documentationOrigin(summary.documentationLink),
    scopeUses: scopeUses(document),
    summary,
    links,
    find,
    callContext: {
      name: summary.name,
      canonicalName: document.at("canonicalName")?.text(),
      version: summary.version,
      rootUrl: url("rootUrl"),
      servicePath: url("servicePath"),
      credential: document.at("x-credential")?.value(),
    },
    scopes: new Map(
      scopes.map(([scope, view]) => [
        scope,
        view.at("description")?.text() ?? "",
      ]),
    ),
  };
}

function scopeUses(document: JsonView): Map<string, number> {
  const uses = new Map<string, number>();
  for (const { methods } of resourcesOf(document))
    for (const { view } of methods) {
      const scopes = view.at("scopes")?.value();
      if (!Array.isArray(scopes)) continue;
      for (const scope of scopes as readonly string[])
        uses.set(scope, (uses.get(scope) ?? 0) + 1);
    }
  return uses;
}

/**
 * Returns the schema with an id; undefined if the document does not contain it.
 */
export function schemaIn(
  document: JsonView,
  id: string,
): RawSchema | undefined {
  const schema = document.at("schemas", id)?.value();
  return typeof schema === "object" && schema !== null ? schema : undefined;
}
