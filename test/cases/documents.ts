/** A description document, read without the generator's model. */
export type Json = Readonly<Record<string, unknown>>;

/** A method of the document. */
export interface DocumentMethod {
  /** Names from the client to the method. */
  readonly names: readonly string[];
  readonly raw: Json;
}

export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

/** Returns all methods, those of the API first. */
export function methodsIn(
  owner: Json,
  names: readonly string[] = [],
): DocumentMethod[] {
  const methods = Object.entries(asJson(owner["methods"])).map(
    ([name, raw]) => ({ names: [...names, name], raw: asJson(raw) }),
  );
  const resources = Object.entries(asJson(owner["resources"]));
  return [
    ...methods,
    ...resources.flatMap(([name, child]) =>
      methodsIn(asJson(child), [...names, name]),
    ),
  ];
}

/** Returns the document's schemas; parses those that are JSON text. */
export function schemasIn(document: Json): [id: string, schema: Json][] {
  return Object.entries(asJson(document["schemas"])).map(([id, schema]) => [
    id,
    asJson(typeof schema === "string" ? JSON.parse(schema) : schema),
  ]);
}

/** Returns the names of all properties below a schema, with repetitions. */
export function propertiesBelow(schema: unknown): string[] {
  const node = asJson(schema);
  if (Object.keys(node).length === 0 || node["$ref"] !== undefined) return [];
  const properties = Object.entries(asJson(node["properties"]));
  const items = Array.isArray(node["items"]) ? node["items"][0] : node["items"];
  return [
    ...properties.map(([name]) => name),
    ...properties.flatMap(([, child]) => propertiesBelow(child)),
    ...propertiesBelow(items),
    ...propertiesBelow(node["additionalProperties"]),
    ...[node["x-one-of"] ?? []].flat().flatMap(propertiesBelow),
  ];
}

/** Returns the names that `wanted` contains more often than `given`. */
export function lacking(
  wanted: readonly string[],
  given: readonly string[],
): string[] {
  const counts = new Map<string, number>();
  for (const name of given) counts.set(name, (counts.get(name) ?? 0) + 1);
  return wanted.filter((name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count - 1);
    return count <= 0;
  });
}
