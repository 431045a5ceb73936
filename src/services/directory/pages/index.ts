import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import type { RawSchema } from "../../../load/raw.js";
import type { Catalogue } from "../catalogue.js";
import type { Facts } from "../document-summary.js";
import { viewOf, type JsonView } from "../json-view.js";
import { preferredIds } from "../list.js";
import { apiMain, schemasMain } from "./api.js";
import { asset } from "./assets.js";
import { homePage } from "./home.js";
import type { Html } from "./html.js";
import { missing, page, type Crumb } from "./layout.js";
import { apiPath, methodPath, resourcePath, schemaPath } from "./links.js";
import { methodSection, type ShownApi } from "./method.js";
import { methodAt, parseMethod, resourceAt } from "./outline.js";
import { resourceMain } from "./resource.js";
import { schemaMain } from "./schema.js";

/** What a page below an API's own is about. */
interface Shown {
  readonly crumbs: readonly Crumb[];
  readonly main: Html;
}

/** Reads a document as it is served at an origin. */
type Read = (id: string, origin: string) => Promise<Buffer | undefined>;

/** The pages for people. They work without scripts. */
export class Pages {
  readonly #catalogue: Catalogue;
  readonly #read: Read;

  constructor(catalogue: Catalogue, read: Read) {
    this.#catalogue = catalogue;
    this.#read = read;
  }

  /** Answers a GET; undefined where the path is none of a page. */
  answer(
    target: string,
    origin: string,
  ): Outgoing | Promise<Outgoing> | undefined {
    const [path = "/", ...rest] = target.split("?");
    const query = new URLSearchParams(rest.join("?")).get("q") ?? "";
    if (path === "/")
      return homePage(this.#catalogue.facts, query.slice(0, 200));
    if (path.startsWith("/assets/directory/"))
      return asset(path) ?? missing("file");
    if (!path.startsWith("/apis/")) return undefined;
    const segments = segmentsOf(path.slice("/apis/".length));
    return segments === undefined
      ? missing("page")
      : this.#ofApi(segments, query.slice(0, 200), origin);
  }

  async #ofApi(
    [name = "", version, kind, ...names]: readonly string[],
    query: string,
    origin: string,
  ): Promise<Outgoing> {
    if (version === undefined || version === "") return this.#preferred(name);
    const facts = this.#catalogue.find(`${name}:${version}`);
    const bytes = facts && (await this.#read(facts.id, origin));
    if (facts === undefined || bytes === undefined) return missing("API");
    const document = viewOf(bytes);
    const api = shownApi(facts, document);
    const shown =
      kind === undefined
        ? { crumbs: [], main: apiMain(api, document, query) }
        : show(api, document, kind, names);
    if (shown === undefined) return missing(`page of ${facts.id}`);
    const crumbs = [
      { text: `${name} ${version}`, href: apiPath(facts) },
      ...shown.crumbs,
    ];
    const last = crumbs.at(-1)!.text;
    const title =
      shown.crumbs.length === 0 ? facts.title : `${last} – ${facts.title}`;
    return page({ title, crumbs, main: shown.main });
  }

  #preferred(name: string): Outgoing {
    const { facts } = this.#catalogue;
    const ids = preferredIds(facts);
    const found = facts.find((one) => one.name === name && ids.has(one.id));
    return found === undefined
      ? missing("API")
      : { status: 302, headers: { location: apiPath(found) } };
  }
}

/** The segments of a path, decoded; undefined where one is malformed. */
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function shownApi(facts: Facts, document: JsonView): ShownApi {
  const text = (name: string): string => document.at(name)?.text() ?? "";
  const scopes = [...(document.at("auth", "oauth2", "scopes")?.members ?? [])];
  return {
    facts,
    calls: {
      name: facts.name,
      canonicalName: document.at("canonicalName")?.text(),
      version: facts.version,
      rootUrl: text("rootUrl"),
      servicePath: text("servicePath"),
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

function show(
  api: ShownApi,
  document: JsonView,
  kind: string,
  names: readonly string[],
): Shown | undefined {
  if (kind === "methods") return showMethod(api, document, names);
  if (kind === "resources")
    return showResource(api, document, names[0] === "" ? [] : names);
  if (kind === "schemas") return showSchema(api, document, names);
  return undefined;
}

function showMethod(
  api: ShownApi,
  document: JsonView,
  names: readonly string[],
): Shown | undefined {
  const method = methodAt(document, names);
  if (method === undefined) return undefined;
  const owners = names.slice(0, -1);
  return {
    crumbs: [
      ...resourceCrumbs(api, owners),
      { text: names.at(-1)!, href: methodPath(api.facts, names) },
    ],
    main: methodSection(api, names, parseMethod(method), 1),
  };
}

function showResource(
  api: ShownApi,
  document: JsonView,
  names: readonly string[],
): Shown | undefined {
  const resource = resourceAt(document, names);
  if (resource === undefined) return undefined;
  return {
    crumbs: resourceCrumbs(api, names),
    main: resourceMain(api, document, resource),
  };
}

function showSchema(
  api: ShownApi,
  document: JsonView,
  names: readonly string[],
): Shown | undefined {
  const all = { text: "schemas", href: `${apiPath(api.facts)}/schemas` };
  if (names.length === 0)
    return { crumbs: [all], main: schemasMain(api, document) };
  const [name = ""] = names;
  const schema = document.at("schemas", name)?.value();
  if (names.length > 1 || typeof schema !== "object" || schema === null)
    return undefined;
  return {
    crumbs: [all, { text: name, href: schemaPath(api.facts, name) }],
    main: schemaMain(api, name, schema as RawSchema),
  };
}

function resourceCrumbs(
  { facts }: ShownApi,
  names: readonly string[],
): Crumb[] {
  if (names.length === 0)
    return [{ text: "methods", href: resourcePath(facts, []) }];
  return names.map((text, index) => ({
    text,
    href: resourcePath(facts, names.slice(0, index + 1)),
  }));
}
