import type { DocumentSummary } from "./document-summary.js";
import {
  methodKey,
  type MethodFeature,
  type MethodFeatures,
} from "./method-features.js";
import { firstSentence, wellFormed } from "./html.js";
import type { JsonView } from "./json-view.js";
import type { Links } from "./links.js";
import { byName, resourcesOf } from "./outline.js";
import { safeJson } from "./schemas-script.js";

/** API in the search index of a site. */
export interface IndexedApi {
  readonly summary: DocumentSummary;
  readonly document: JsonView;
  readonly isPreferred: boolean;
  readonly features: MethodFeatures;
}

/**
 * Names whose URLs share a prefix. The URL of a name consists of the prefix and
 * the percent-encoded name.
 */
type NameGroup = readonly [prefix: string, names: readonly string[]];

/**
 * Entry for an API in the search index, in the format that the pages' script
 * expects.
 */
export type ApiEntry = readonly [
  name: string,
  version: string,
  title: string,
  url: string,
  isPreferred: 0 | 1,
  /** Groups of methods, each with the dotted name of its resource. */
  methods: readonly (readonly [
    resource: string,
    prefix: string,
    methods: readonly MethodEntry[],
  ])[],
  schemas: readonly NameGroup[],
  /**
   * Parameters. Each has the index of a group in `methods` and the index of a
   * method in that group.
   */
  parameters: readonly (readonly [name: string, group: number, at: number])[],
  about: string,
  isDeprecated: 0 | 1,
];

/** Method in the search index. Its URL ends with its percent-encoded name. */
type MethodEntry = readonly [
  name: string,
  summary: string,
  features: readonly MethodFeature[],
  isDeprecated: 0 | 1,
  /** Names of the properties of the response, separated by spaces. */
  properties: string,
  /** Last segments of the scopes, such as `drive.readonly`, separated by spaces. */
  scopes: string,
];

/** Maximum number of characters of a summary in the search index. */
const MAX_SUMMARY = 120;

/** Maximum number of properties of a response in the search index. */
const MAX_PROPERTIES = 20;

/**
 * Search index of a site. It is written as a script, because pages opened from
 * the file system can't fetch data.
 */
export class SearchIndex {
  readonly #links: Links;
  readonly #entries: ApiEntry[] = [];

  constructor(links: Links) {
    this.#links = links;
  }

  add(api: IndexedApi): void {
    this.#entries.push(entryOf(api, this.#links));
  }

  /** Returns a script that assigns the index to a global variable. */
  script(): string {
    return scriptOf(this.#entries);
  }
}

function scriptOf(entries: readonly ApiEntry[]): string {
  return `globalThis.searchIndex=${safeJson(JSON.stringify(entries))};\n`;
}

function entryOf(
  { summary, document, isPreferred, features }: IndexedApi,
  links: Links,
): ApiEntry {
  const methods: [string, string, MethodEntry[]][] = [];
  const parameters = new Map<string, [number, number]>();
  for (const { names, methods: list } of resourcesOf(document)) {
    const groups = new Map<string, [string, string, MethodEntry[]]>();
    for (const { names: path, view } of list) {
      const name = wellFormed(path.at(-1)!);
      const prefix = prefixOf(links.method(summary, path), name);
      let group = groups.get(prefix);
      if (group === undefined) {
        group = [wellFormed(names.join(".")), prefix, []];
        groups.set(prefix, group);
        methods.push(group);
      }
      const position: [number, number] = [
        methods.indexOf(group),
        group[2].length,
      ];
      group[2].push([
        name,
        summaryText(view),
        [...(features.get(methodKey(path)) ?? [])].filter(
          (feature) =>
            feature !== "iterated" && feature !== "resumable uploads",
        ),
        view.at("deprecated")?.value() === true ? 1 : 0,
        propertiesOf(view, document),
        scopesOf(view),
      ]);
      for (const parameter of view.at("parameters")?.members.keys() ?? [])
        if (!parameters.has(parameter)) parameters.set(parameter, position);
    }
  }
  return [
    summary.name,
    summary.version,
    wellFormed(summary.title),
    links.api(summary),
    isPreferred ? 1 : 0,
    methods,
    schemaGroups(summary, document, links),
    [...parameters].map(([name, [group, at]]) => [wellFormed(name), group, at]),
    wellFormed(firstSentence(summary.description)).slice(0, MAX_SUMMARY),
    summary.labels?.includes("deprecated") === true ? 1 : 0,
  ];
}

/**
 * Returns the names of a response's properties, except for methods that change
 * something, whose response is often the whole resource.
 */
function propertiesOf(view: JsonView, document: JsonView): string {
  if ((view.at("httpMethod")?.text() ?? "GET") !== "GET") return "";
  const id = view.at("response", "$ref")?.text();
  const schema = id === undefined ? undefined : document.at("schemas", id);
  const names = [...(schema?.at("properties")?.members.keys() ?? [])];
  return wellFormed(names.slice(0, MAX_PROPERTIES).join(" "));
}

/** Maximum number of scopes of a method in the search index. */
const MAX_SCOPES = 10;

function scopesOf(view: JsonView): string {
  const scopes = view.at("scopes")?.value();
  if (!Array.isArray(scopes)) return "";
  const names = scopes
    .slice(0, MAX_SCOPES)
    .map((scope) => String(scope).split("/").filter(Boolean).at(-1) ?? "");
  return wellFormed([...new Set(names)].join(" "));
}

function summaryText(view: JsonView): string {
  const text = firstSentence(view.at("description")?.text());
  return wellFormed(text).slice(0, MAX_SUMMARY);
}

function schemaGroups(
  summary: DocumentSummary,
  document: JsonView,
  links: Links,
): NameGroup[] {
  const groups = new Map<string, string[]>();
  for (const [id] of byName(document.at("schemas"))) {
    const name = wellFormed(id);
    const prefix = prefixOf(links.schema(summary, id), name);
    const names = groups.get(prefix) ?? [];
    names.push(name);
    groups.set(prefix, names);
  }
  return [...groups];
}

function prefixOf(url: string, name: string): string {
  return url.slice(0, url.length - encodeURIComponent(name).length);
}
