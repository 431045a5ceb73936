import type { Node } from "../../support/exports.js";
import type { RawDocument, RawNode } from "../inventory/document.js";

/** Counts of what the comparison found. */
export interface FoundSchemas {
  schemas: number;
  properties: number;
}

/**
 * Compares exported schemas with those of the description. Returns the
 * differences in properties and types.
 * @param exported schemas by name
 */
export function compareSchemas(
  document: RawDocument,
  exported: Node,
  found: FoundSchemas,
): string[] {
  const faults: string[] = [];
  for (const [name, raw] of Object.entries(document.schemas ?? {})) {
    found.schemas++;
    const node = exported[name];
    if (node === undefined) faults.push(`no schema ${name}`);
    else compareNode(raw, node, name, faults, found);
  }
  return faults;
}

function compareNode(
  raw: RawNode,
  node: Node,
  at: string,
  faults: string[],
  found: FoundSchemas,
): void {
  if (raw.$ref !== undefined) {
    const name = (node["$ref"] as unknown as string | undefined)
      ?.split("/")
      .at(-1);
    if (name !== raw.$ref) faults.push(`${at}: refers to ${name}`);
    return;
  }
  const type = typeOf(node);
  const wanted = raw.type === "any" ? undefined : raw.type;
  if (type !== wanted) faults.push(`${at}: ${type} instead of ${wanted}`);
  if (raw.enum !== undefined && raw.type === "string") {
    const values = valuesOf(node);
    if (values.join() !== raw.enum.join()) faults.push(`${at}: enum ${values}`);
  }
  if (((node["readOnly"] as unknown) === true) !== (raw.readOnly === true))
    faults.push(`${at}: readOnly`);
  for (const [name, property] of Object.entries(raw.properties ?? {})) {
    found.properties++;
    const member = node["properties"]?.[name];
    if (member === undefined) faults.push(`${at}: no property ${name}`);
    else compareNode(property, member, `${at}.${name}`, faults, found);
  }
  if (raw.items !== undefined)
    compareNode(raw.items, node["items"] ?? {}, `${at}[]`, faults, found);
  const { additionalProperties: more } = raw;
  if (more === undefined) return;
  const values = node["additionalProperties"] as unknown;
  if (values === true && more.type === "any") return;
  compareNode(more, (values ?? {}) as Node, `${at}.*`, faults, found);
}

/** Returns the type of a schema; that of numbers can be in `anyOf`. */
function typeOf(node: Node): string | undefined {
  const first = (node["anyOf"] as unknown as readonly Node[] | undefined)?.[0];
  return (node["type"] ?? first?.["type"]) as unknown as string | undefined;
}

function valuesOf(node: Node): readonly string[] {
  const constants = node["anyOf"] as unknown as readonly Node[] | undefined;
  return (
    (node["enum"] as unknown as readonly string[] | undefined) ??
    (constants ?? []).map((each) => each["const"] as unknown as string)
  );
}
