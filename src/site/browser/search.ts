import MiniSearch from "minisearch";
import type { ApiEntry } from "../search-index.js";

/** Result of a search. */
export interface Found {
  readonly kind: "method" | "API" | "schema" | "parameter";
  readonly label: string;
  readonly detail: string;
  /** URL relative to the root of the site. */
  readonly url: string;
  readonly score: number;
}

interface Entry {
  readonly id: number;
  readonly kind: Found["kind"];
  readonly label: string;
  readonly detail: string;
  readonly url: string;
  readonly api: string;
  readonly weight: number;
  /** Name, with the names of resources for methods. */
  readonly name: string;
  readonly owner: string;
  readonly text: string;
  readonly words: string;
  readonly scopes: string;
}

/** Weight of a kind of result: methods are what most searches are for. */
const WEIGHTS = { method: 1, API: 0.9, schema: 0.35, parameter: 0.45 } as const;

/** Factor for results with all words of a query. */
const ALL_WORDS = 1.5;

/** Factor for results in the API of the current page. */
const CURRENT = 3;

/** Words that are ignored in a query. */
const STOP_WORDS = new Set(
  "a an and any are as at be by can do does for from get's how i in into is it its me my of on or our please some that the their them this to using via want what when which with you your".split(
    " ",
  ),
);

/** Words that are also found under other words. Keys and values are stems. */
const SYNONYMS: Readonly<Record<string, string>> = {
  account: "user profile",
  acl: "share permission access",
  annotate: "detect analyze recognize label",
  batch: "bulk many multiple",
  bucket: "container",
  cancel: "stop abort",
  comment: "note",
  copy: "duplicate clone",
  create: "add insert new make start",
  delete: "remove erase destroy drop",
  disk: "volume storage",
  event: "meeting appointment",
  execute: "run start",
  export: "download convert save",
  file: "document",
  generate: "create make",
  get: "read fetch show view retrieve download",
  import: "load",
  insert: "add create new post",
  instance: "vm machine server virtual",
  job: "task",
  label: "tag",
  list: "all enumerate show find browse every search",
  member: "user person people",
  message: "mail email",
  modify: "change update edit",
  move: "relocate",
  object: "file blob",
  patch: "update edit change modify set rename",
  permission: "share access",
  policy: "iam permission access",
  publish: "post send",
  query: "sql search run",
  recognize: "transcribe speech",
  restore: "recover undo",
  revision: "version history",
  role: "permission",
  run: "execute start",
  search: "find query lookup",
  snapshot: "backup",
  start: "begin launch run",
  stop: "halt cancel shutdown",
  subscription: "subscribe",
  task: "todo",
  thread: "conversation",
  trash: "delete remove bin",
  undelete: "restore recover",
  untrash: "restore recover undelete",
  update: "edit change modify set rename",
  upload: "add attach send file",
  user: "account person people",
  video: "movie clip",
  watch: "subscribe notify push webhook change",
};

/** Words under which methods with a feature are found. */
const FEATURE_WORDS: Readonly<Record<string, string>> = {
  "accepts uploads": "upload attach content media file",
  "downloads content": "download content media save",
  paged: "page pagination list",
  "long-running": "operation wait asynchronous long running",
  "watches changes": "subscribe notify push webhook change",
  streams: "stream event",
};

/** Splits text into lower-case words, also at changes of case. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Returns the stem of an English word: without plural and `-ing`. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && /[^su]s$/.test(word)) return word.slice(0, -1);
  if (word.length > 6 && word.endsWith("ing")) return word.slice(0, -3);
  return word;
}

/** Index of everything that a site describes. */
export class Search {
  readonly #index = new MiniSearch<Entry>({
    fields: ["name", "owner", "api", "text", "words", "scopes"],
    storeFields: ["kind", "label", "detail", "url", "weight", "api"],
    tokenize: wordsOf,
    processTerm: (term) => stem(term),
  });

  constructor(apis: readonly ApiEntry[]) {
    let id = 0;
    const entries: Entry[] = [];
    const add = (entry: Omit<Entry, "id">): void => {
      entries.push({ ...entry, id: id++ });
    };
    for (const api of apis) addApi(api, add);
    this.#index.addAll(entries);
  }

  /**
   * Returns the best results for a query.
   * @param current name and version of the API of the current page, whose
   *   results rank higher
   */
  find(query: string, limit: number, current = ""): Found[] {
    const terms = wordsOf(query)
      .slice(0, 10)
      .filter((word) => !STOP_WORDS.has(word));
    if (terms.length === 0) return [];
    // A name that is written in one word, such as pagetoken.
    const exact = query.trim().toLowerCase();
    const found = new Map<string, Found>();
    const search = (combineWith: "AND" | "OR", factor: number): void => {
      const results = this.#index.search(terms.join(" "), {
        combineWith,
        boost: {
          name: 4,
          owner: 3,
          api: 2,
          text: 1.5,
          words: 3.5,
          scopes: 0.5,
        },
        prefix: (term, index, all) =>
          index === all.length - 1 || term.length > 3,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        maxFuzzy: 2,
        weights: { fuzzy: 0.3, prefix: 0.5 },
        boostDocument: (_, __, stored) =>
          (stored!["weight"] as number) *
          (stored!["api"] === current ? CURRENT : 1),
      });
      for (const { kind, label, detail, url, score } of results) {
        const name = String(label).toLowerCase();
        const isExact =
          name === exact ||
          name.endsWith(`.${exact}`) ||
          (kind === "API" && String(detail).startsWith(`${exact} `));
        const key = `${kind} ${url} ${label}`;
        if (!found.has(key))
          found.set(key, {
            kind,
            label,
            detail,
            url,
            score: score * factor * (isExact ? 3 : 1),
          });
      }
    };
    search("AND", ALL_WORDS);
    search("OR", 1);
    return [...found.values()]
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
}

function addApi(
  [
    name,
    version,
    title,
    url,
    isPreferred,
    methods,
    schemas,
    parameters,
    about,
    isDeprecated,
  ]: ApiEntry,
  add: (entry: Omit<Entry, "id">) => void,
): void {
  const api = `${name} ${version}`;
  const factor = (isPreferred ? 1.2 : 1) * (isDeprecated ? 0.6 : 1);
  const entry = (
    kind: Found["kind"],
    fields: Partial<Entry> & Pick<Entry, "label" | "url">,
  ): void =>
    add({
      kind,
      detail: api,
      api,
      weight: WEIGHTS[kind] * factor,
      name: fields.label,
      owner: "",
      text: "",
      words: "",
      scopes: "",
      ...fields,
    });
  const topic = `${name} ${title}`;
  entry("API", {
    label: title,
    url,
    name: `${name} ${title}`,
    text: about,
    words: synonymsOf(topic),
  });
  for (const [resource, prefix, names] of methods)
    for (const [
      method,
      summary,
      features,
      isOld,
      properties,
      scopes,
    ] of names) {
      const label = resource === "" ? method : `${resource}.${method}`;
      entry("method", {
        label,
        url: prefix + encodeURIComponent(method),
        name: `${method} ${method.toLowerCase()}`,
        owner: `${resource} ${topic}`,
        text: `${summary} ${properties}`,
        scopes: `${scopes} ${scopes.toLowerCase()}`,
        words: `${synonymsOf(label)} ${features.map((feature) => FEATURE_WORDS[feature] ?? feature).join(" ")}${isOld ? " deprecated" : ""}`,
        weight: WEIGHTS.method * factor * (isOld ? 0.5 : 1),
        detail: summary === "" ? api : `${api} · ${summary}`,
      });
    }
  for (const [prefix, names] of schemas)
    for (const schema of names)
      entry("schema", {
        label: schema,
        url: prefix + encodeURIComponent(schema),
        name: `${schema} ${schema.toLowerCase()}`,
      });
  for (const [parameter, group, at] of parameters) {
    const [resource, prefix, names] = methods[group]!;
    const [method] = names[at]!;
    entry("parameter", {
      label: parameter,
      detail: `${resource === "" ? "" : `${resource}.`}${method}, ${api}`,
      url: prefix + encodeURIComponent(method),
      name: `${parameter} ${parameter.toLowerCase()}`,
    });
  }
}

function synonymsOf(text: string): string {
  return wordsOf(text)
    .map((word) => SYNONYMS[stem(word)] ?? "")
    .filter(Boolean)
    .join(" ");
}
