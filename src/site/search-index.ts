import { visibleLines } from "../diagnostics/invisible.js";
import type { DocumentSummary } from "./document-summary.js";
import { wellFormed } from "./html.js";
import type { JsonView } from "./json-view.js";
import type { Links } from "./links.js";
import { byName, resourcesOf } from "./outline.js";

/** API in the search index of a site. */
export interface IndexedApi {
  readonly summary: DocumentSummary;
  readonly document: JsonView;
  readonly isPreferred: boolean;
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
type ApiEntry = readonly [
  name: string,
  version: string,
  title: string,
  url: string,
  isPreferred: 0 | 1,
  /** Groups of methods, each with the dotted name of its resource. */
  methods: readonly (readonly [resource: string, ...NameGroup])[],
  schemas: readonly NameGroup[],
  /**
   * Parameters. Each has the index of a group in `methods` and the index of a
   * method in that group.
   */
  parameters: readonly (readonly [name: string, group: number, at: number])[],
];

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
  // `<` and invisible characters are escaped, because they could end the script
  // element or a line of the script, or hide text.
  const json = visibleLines(JSON.stringify(entries)).replaceAll("<", "\\u003c");
  return `globalThis.searchIndex=${json};\n`;
}

function entryOf(
  { summary, document, isPreferred }: IndexedApi,
  links: Links,
): ApiEntry {
  const methods: [string, string, string[]][] = [];
  const parameters = new Map<string, [number, number]>();
  for (const { names, methods: list } of resourcesOf(document)) {
    const groups = new Map<string, [string, string, string[]]>();
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
      group[2].push(name);
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
  ];
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
