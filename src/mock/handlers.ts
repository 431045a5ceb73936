import type { Method, Parameter } from "../model/ir.js";
import type { AnyHandler, Call } from "../runtime/server/call.js";
import { content, type Content } from "../runtime/server/content.js";
import { ApiError } from "../runtime/server/error.js";
import { requestsEvents } from "../runtime/server/responses/events.js";
import { isMembers } from "./conform.js";
import { fieldsOf, withMembers } from "./resource-fields.js";
import { finished } from "./operations.js";
import { pageOf, withPage } from "./paging.js";
import { Resources, type Params, type Spot, type World } from "./resources.js";
import { listOf, type Family, type Role } from "./roles.js";
import type { StoredMedia } from "./store.js";
import type { Members } from "./values.js";

/** Makes the handlers of an API's methods. */
export class Handlers {
  readonly #resources = new Map<Family, Resources>();

  constructor(
    readonly world: World,
    readonly roles: ReadonlyMap<Method, Role>,
  ) {}

  /** The handler of a method: of a resource's collection, or seeded answers. */
  of(method: Method): AnyHandler {
    const { stream, redirects } = method;
    const role = this.roles.get(method);
    return (call) => {
      if (redirects === true)
        return `https://www.example.com/${encodeURIComponent(method.id)}`;
      const isEvents = stream?.format === "events";
      if (isEvents && requestsEvents({ when: stream.when ?? {} }, call.body))
        return this.#events(method, call);
      return role === undefined
        ? this.#plain(method, call)
        : this.#resource(method, role, call);
    };
  }

  async *#events(method: Method, call: Call): AsyncGenerator<unknown> {
    const key = this.#keyOf(method, call.params as Params);
    for (let index = 0; index < 3; index++)
      yield this.world.maker.make(method.stream!.element, `${key}/${index}`);
  }

  /** An answer that depends on the method and its path alone. */
  async #plain(method: Method, call: Call): Promise<unknown> {
    const params = call.params as Params;
    // Content has to be taken, also where nothing keeps it.
    if (call.media !== undefined) await drain(call);
    const key = this.#keyOf(method, params);
    if (call.wantsContent || method.rawResponse === true)
      return seededContent(key);
    const answer = this.#answer(method, params, key);
    const items = method.paging?.items;
    if (items === undefined || items.isMap || !isMembers(answer)) return answer;
    const all = answer[items.field];
    if (!Array.isArray(all)) return answer;
    const page = pageOf(all, method, params, call.body);
    const { definitions } = this.world;
    return withPage(answer, items.field, page, all.length, method, definitions);
  }

  #answer(method: Method, params: Params, key: string): unknown {
    const { maker, definitions } = this.world;
    const { response } = method;
    if (response === undefined) return undefined;
    const value = maker.make(response, key);
    if (method.operation !== undefined)
      return finished(value as Members, method, undefined, this.world);
    if (response.kind !== "ref" || !isMembers(value)) return value;
    const names = pathParameters(method).map(({ name }) => name);
    const own = names.map((name) => [name, params[name]] as const);
    const fields = fieldsOf(response.id, definitions);
    return withMembers(value, fields, Object.fromEntries(own));
  }

  #keyOf(method: Method, params: Params): string {
    const values = pathParameters(method).map(({ name }) => params[name]);
    return `${this.world.seed}|${method.id}|${JSON.stringify(values)}`;
  }

  async #resource(method: Method, role: Role, call: Call): Promise<unknown> {
    const params = call.params as Params;
    const resources = this.#of(role.family);
    const media = call.media === undefined ? undefined : await stored(call);
    if (role.kind === "list") return this.#list(method, resources, call);
    if (role.kind === "create")
      return this.#create(method, resources, call, media);
    const spot = spotOf(method, role.family, params);
    const names = named(method, params);
    switch (role.kind) {
      case "get": {
        const found = resources.get(spot, names);
        if (!call.wantsContent) return found.value;
        return found.media === undefined
          ? seededContent(`${spot.collection}/${spot.id}`)
          : content({ ...found.media, body: found.media.bytes });
      }
      case "patch":
        return this.#changed(
          method,
          role.family,
          resources.patch(spot, names, params, call.body, media),
          params,
        );
      case "replace":
        if (this.world.strict && isGone(resources, spot))
          resources.get(spot, names);
        return this.#changed(
          method,
          role.family,
          resources.put(spot, names, call.body, media),
          params,
        );
      case "delete":
        return this.#changed(
          method,
          role.family,
          resources.remove(spot, names),
          params,
        );
    }
  }

  #of(family: Family): Resources {
    let resources = this.#resources.get(family);
    if (resources === undefined) {
      resources = new Resources(family, this.world);
      this.#resources.set(family, resources);
    }
    return resources;
  }

  #list(method: Method, resources: Resources, call: Call): unknown {
    const { definitions } = this.world;
    const params = call.params as Params;
    const collection = pathOf(method, params);
    const ids = resources.ids(collection);
    const { items, next } = pageOf(ids, method, params, call.body);
    const values = items.map(
      (id) => resources.get({ collection, id }, named(method, params)).value,
    );
    const field = listOf(method, resources.family.entity, definitions)!;
    if (field === "") return values;
    const key = this.#keyOf(method, params);
    const answer = this.#answer(method, params, key) as Members;
    const page = { items: values, next };
    return withPage(answer, field, page, ids.length, method, definitions);
  }

  #create(
    method: Method,
    resources: Resources,
    call: Call,
    media: StoredMedia | undefined,
  ): unknown {
    const { store, seed } = this.world;
    const params = call.params as Params;
    const collection = pathOf(method, params);
    const chosen = resources.chosenId(collection, params, call.body, method);
    const id =
      chosen ?? resources.newId(`${seed}|${collection}|${store.changes}`);
    const spot = { collection, id };
    if (chosen !== undefined && media === undefined && resources.has(spot))
      throw new ApiError(409, `Already exists: ${chosen.slice(0, 200)}`, {
        reason: "duplicate",
      });
    const names = named(method, params);
    const value = resources.put(spot, names, call.body, media);
    return this.#changed(method, resources.family, value, params);
  }

  /** What a method that changes a resource answers with. */
  #changed(
    method: Method,
    { entity }: Family,
    value: Members,
    params: Params,
  ): unknown {
    const { response, operation } = method;
    if (response?.kind === "ref" && response.id === entity) return value;
    const answer = this.#answer(method, params, this.#keyOf(method, params));
    return operation === undefined
      ? answer
      : finished(
          answer as Members,
          method,
          { type: entity, value },
          this.world,
        );
  }
}

/** Whether a caller deleted it. */
function isGone({ world }: Resources, { collection, id }: Spot): boolean {
  return world.store.find(collection, id) === "deleted";
}

function pathParameters({ parameters }: Method): readonly Parameter[] {
  return parameters.filter(({ location }) => location === "path");
}

/** The variables of the path but the last one, which is the resource's own. */
function named(method: Method, params: Params): Params {
  const names = pathParameters(method).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, params[name]]));
}

/** The path of a request without its verb. */
function pathOf({ tokens }: Method, params: Params): string {
  const texts = tokens.map((token) => {
    if (token.kind === "verb") return "";
    if (token.kind === "literal") return token.text;
    const text = String(params[token.name] ?? "");
    return token.kind === "multi" ? text : encodeURIComponent(text);
  });
  let path = texts.join("");
  while (path.endsWith("/")) path = path.slice(0, -1);
  return path;
}

/** Where the resource of a request is. */
function spotOf(method: Method, family: Family, params: Params): Spot {
  const path = pathOf(method, params);
  if (family.isSingle) return { collection: path, id: "" };
  const last = method.tokens.at(-1)!;
  const value = "name" in last ? String(params[last.name] ?? "") : "";
  const end = path.lastIndexOf("/");
  // A variable that is one segment may hold slashes, encoded.
  const id = family.prefix === undefined ? value : path.slice(end + 1);
  return { collection: path.slice(0, end), id };
}

async function stored({ media }: Call): Promise<StoredMedia> {
  const { contentType } = media!;
  return { bytes: await media!.bytes(), contentType };
}

async function drain({ media }: Call): Promise<void> {
  for await (const _ of media!.chunks());
}

function seededContent(key: string): Content {
  const body = new TextEncoder().encode(`Content of ${key}\n`);
  return content({ body, contentType: "text/plain; charset=utf-8" });
}
