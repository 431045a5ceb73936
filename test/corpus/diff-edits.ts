/** JSON object that an edit changes. */
export type Json = Record<string, any>;

/** Seeded random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

/** Edit of a document, and the symbol of the output that it affects. */
export interface Edit {
  readonly symbol: string;
}

/** Class of edits; `apply` returns undefined if a document has no candidate. */
export interface EditClass {
  readonly name: string;
  /** True if every edit of the class breaks somebody. */
  readonly isBreaking: boolean;
  apply(document: Json, random: Random): Edit | undefined;
}

interface MethodAt {
  readonly owner: Json;
  readonly name: string;
  readonly method: Json;
}

function methodsIn(resource: Json): MethodAt[] {
  const methods = Object.entries<Json>(resource["methods"] ?? {});
  return [
    ...methods.map(([name, method]) => ({
      owner: resource["methods"] as Json,
      name,
      method,
    })),
    ...Object.values<Json>(resource["resources"] ?? {}).flatMap(methodsIn),
  ];
}

interface MemberAt {
  readonly owner: Json;
  readonly name: string;
  readonly node: Json;
  readonly method: Json;
}

/** Parameters of the query that methods declare. */
function parametersIn(document: Json): MemberAt[] {
  return methodsIn(document).flatMap(({ method }) =>
    Object.entries<Json>(method["parameters"] ?? {})
      .filter(([, node]) => node["location"] === "query")
      .filter(([name]) => !document["parameters"]?.[name])
      .map(([name, node]) => ({
        owner: method["parameters"] as Json,
        name,
        node,
        method,
      })),
  );
}

/** Properties of the named schemas. */
function propertiesIn(document: Json): Omit<MemberAt, "method">[] {
  return Object.values<Json>(document["schemas"] ?? {}).flatMap((schema) =>
    Object.entries<Json>(schema["properties"] ?? {}).map(([name, node]) => ({
      owner: schema["properties"] as Json,
      name,
      node,
    })),
  );
}

/** Properties that request bodies other than those of PATCH can contain. */
function requestPropertiesIn(document: Json): Omit<MemberAt, "method">[] {
  const ids = new Set(
    methodsIn(document)
      .filter(({ method }) => method["httpMethod"] !== "PATCH")
      .map(({ method }) => method["request"]?.$ref as string),
  );
  return [...ids].flatMap((id) =>
    Object.entries<Json>(document["schemas"]?.[id]?.properties ?? {})
      .filter(([, node]) => node["readOnly"] !== true)
      .map(([name, node]) => ({
        owner: document["schemas"][id].properties as Json,
        name,
        node,
      })),
  );
}

const isRequired = (node: Json): boolean =>
  node["required"] === true || node["annotations"] !== undefined;

/** Declares a class whose edits choose one of the candidates. */
function editClass<T>(
  name: string,
  isBreaking: boolean,
  candidates: (document: Json) => readonly T[],
  edit: (candidate: T, document: Json, random: Random) => string,
): EditClass {
  return {
    name,
    isBreaking,
    apply(document, random) {
      const candidate = random.pick(candidates(document));
      if (candidate === undefined) return undefined;
      return { symbol: edit(candidate, document, random) };
    },
  };
}

/** Renames a key; keeps the order of the other keys. */
function renameKey(owner: Json, name: string, other: string): void {
  const entries = Object.entries(owner);
  for (const [key] of entries) delete owner[key];
  for (const [key, value] of entries) owner[key === name ? other : key] = value;
}

/** Classes whose edits break somebody. */
export const breakingClasses: readonly EditClass[] = [
  editClass("method removed", true, methodsIn, ({ owner, name }) => {
    delete owner[name];
    return name;
  }),
  editClass("method renamed", true, methodsIn, ({ owner, name, method }) => {
    method["id"] = `${method["id"]}Renamed`;
    renameKey(owner, name, `${name}Renamed`);
    return name;
  }),
  editClass(
    "parameter removed",
    true,
    parametersIn,
    ({ owner, name, method }) => {
      delete owner[name];
      method["parameterOrder"] = (method["parameterOrder"] ?? []).filter(
        (one: string) => one !== name,
      );
      return name;
    },
  ),
  editClass(
    "parameter renamed",
    true,
    parametersIn,
    ({ owner, name, method }) => {
      renameKey(owner, name, `${name}Renamed`);
      method["parameterOrder"] = (method["parameterOrder"] ?? []).map(
        (one: string) => (one === name ? `${name}Renamed` : one),
      );
      return name;
    },
  ),
  editClass(
    "parameter retyped",
    true,
    (document) =>
      parametersIn(document).filter(({ node }) => node["type"] !== "boolean"),
    ({ owner, name, node }) => {
      const { location, repeated } = node;
      owner[name] = {
        type: "boolean",
        location,
        ...(repeated ? { repeated } : {}),
      };
      return name;
    },
  ),
  editClass(
    "parameter required",
    true,
    (document) =>
      parametersIn(document).filter(
        ({ node, name, method }) =>
          !isRequired(node) && !method["parameterOrder"]?.includes(name),
      ),
    ({ node, name }) => {
      node["required"] = true;
      return name;
    },
  ),
  editClass(
    "default added with required",
    true,
    (document) =>
      parametersIn(document).filter(
        ({ node, name, method }) =>
          !isRequired(node) &&
          node["type"] === "string" &&
          !method["parameterOrder"]?.includes(name),
      ),
    ({ node, name }) => {
      Object.assign(node, {
        required: true,
        default: node["enum"]?.[0] ?? "a",
      });
      return name;
    },
  ),
  editClass("property removed", true, propertiesIn, ({ owner, name }) => {
    delete owner[name];
    return name;
  }),
  editClass("property renamed", true, propertiesIn, ({ owner, name }) => {
    renameKey(owner, name, `${name}Renamed`);
    return name;
  }),
  editClass(
    "property retyped",
    true,
    (document) =>
      propertiesIn(document).filter(
        ({ node }) => node["type"] !== "boolean" && node["type"] !== "any",
      ),
    ({ owner, name }) => {
      owner[name] = { type: "boolean" };
      return name;
    },
  ),
  editClass(
    "int32 to int64",
    true,
    (document) =>
      propertiesIn(document).filter(({ node }) => node["type"] === "integer"),
    ({ owner, name }) => {
      owner[name] = { type: "string", format: "int64" };
      return name;
    },
  ),
  editClass(
    "array to object",
    true,
    (document) =>
      propertiesIn(document).filter(({ node }) => node["type"] === "array"),
    ({ owner, name, node }) => {
      owner[name] = { type: "object", additionalProperties: node["items"] };
      return name;
    },
  ),
  editClass(
    "request property required",
    true,
    (document) =>
      requestPropertiesIn(document).filter(({ node }) => !isRequired(node)),
    ({ node, name }) => {
      node["required"] = true;
      return name;
    },
  ),
  editClass(
    "enum value removed",
    true,
    (document) =>
      [...propertiesIn(document), ...parametersIn(document)].filter(
        ({ node }) => node["enum"]?.length > 1,
      ),
    ({ node, name }, _, random) => {
      const at = random.below(node["enum"].length);
      for (const key of ["enum", "enumDescriptions", "enumDeprecated"])
        if (Array.isArray(node[key])) node[key].splice(at, 1);
      return name;
    },
  ),
  editClass("path changed", true, methodsIn, ({ name, method }) => {
    method["path"] = `moved/${method["path"]}`;
    if (method["flatPath"] !== undefined)
      method["flatPath"] = `moved/${method["flatPath"]}`;
    return name;
  }),
  editClass("HTTP method changed", true, methodsIn, ({ name, method }) => {
    method["httpMethod"] = method["httpMethod"] === "PUT" ? "POST" : "PUT";
    return name;
  }),
  editClass(
    "scope removed",
    true,
    (document) =>
      methodsIn(document).filter(({ method }) => method["scopes"]?.length > 1),
    ({ name, method }, _, random) => {
      method["scopes"].splice(random.below(method["scopes"].length), 1);
      return name;
    },
  ),
  editClass(
    "schema renamed",
    true,
    (document) => Object.keys(document["schemas"] ?? {}),
    (id, document) => {
      const other = `${id}Renamed`;
      renameKey(document["schemas"], id, other);
      document["schemas"][other].id = other;
      const update = (value: unknown): void => {
        if (typeof value !== "object" || value === null) return;
        const node = value as Json;
        if (node["$ref"] === id) node["$ref"] = other;
        Object.values(node).forEach(update);
      };
      update(document);
      return id;
    },
  ),
  editClass(
    "response removed",
    true,
    (document) =>
      methodsIn(document).filter(
        ({ method }) => method["response"] !== undefined,
      ),
    ({ name, method }) => {
      delete method["response"];
      return name;
    },
  ),
];

/** Classes whose edits break no caller that is compiled with the new output. */
export const additiveClasses: readonly EditClass[] = [
  editClass(
    "optional parameter added",
    false,
    methodsIn,
    ({ name, method }) => {
      (method["parameters"] ??= {})["addedByTest"] = {
        type: "string",
        location: "query",
      };
      return name;
    },
  ),
  editClass(
    "optional property added",
    false,
    (document) =>
      Object.values<Json>(document["schemas"] ?? {}).filter(
        (one) => one["properties"],
      ),
    (schema) => {
      schema["properties"]["addedByTest"] = { type: "string" };
      return schema["id"];
    },
  ),
  editClass("method added", false, methodsIn, ({ owner, name, method }) => {
    owner[`${name}AddedByTest`] = {
      ...structuredClone(method),
      id: `${method["id"]}AddedByTest`,
      path: `added/${method["path"]}`,
      flatPath: undefined,
    };
    return name;
  }),
  editClass(
    "schema added",
    false,
    (document) => [document],
    (document) => {
      (document["schemas"] ??= {})["AddedByTest"] = {
        id: "AddedByTest",
        type: "object",
      };
      return "AddedByTest";
    },
  ),
  editClass(
    "enum value added",
    false,
    (document) =>
      [...propertiesIn(document), ...parametersIn(document)].filter(
        ({ node }) => node["enum"],
      ),
    ({ node, name }) => {
      node["enum"].push("ADDED_BY_TEST");
      return name;
    },
  ),
  editClass("method deprecated", false, methodsIn, ({ name, method }) => {
    method["deprecated"] = true;
    return name;
  }),
  editClass("description changed", false, propertiesIn, ({ name, node }) => {
    node["description"] = "Changed by a test.";
    return name;
  }),
  editClass("scope added", false, methodsIn, ({ name, method }) => {
    (method["scopes"] ??= []).push("https://www.example.com/auth/added");
    return name;
  }),
  editClass(
    "pattern added",
    false,
    (document) =>
      parametersIn(document).filter(({ node }) => node["type"] === "string"),
    ({ node, name }) => {
      node["pattern"] = "^[a-z]+$";
      return name;
    },
  ),
  editClass(
    "string limited to an enum",
    false,
    (document) =>
      propertiesIn(document).filter(
        ({ node }) =>
          node["type"] === "string" && !node["enum"] && !node["format"],
      ),
    ({ node, name }) => {
      node["enum"] = ["a", "b"];
      return name;
    },
  ),
];
