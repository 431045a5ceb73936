import ts from "ts6";
import type { Alias, Interface, Source } from "./source.js";

/**
 * Checks the types of requests: every type of schemas.ts that is not a schema's
 * is the request type of one, and has its members except those that only
 * results have, at any depth.
 *
 * @returns request types by type, if they differ
 */
export function checkInputs(
  { types }: Source,
  isSchema: (name: string) => boolean,
  problem: (text: string) => void,
): ReadonlyMap<string, string> {
  const inputs = new Map<string, string>();
  for (const name of types.keys()) {
    if (isSchema(name)) continue;
    const of = name.replace(/Input(?:\d+|\d_\d+)?$/, "");
    if (of === name || !isSchema(of))
      problem(`schemas.ts has the surplus type ${name}`);
    else inputs.set(of, name);
  }
  const split = typesWithReadonly(types, isSchema);
  for (const [of, name] of inputs) {
    if (!split.has(of)) problem(`${name} does not differ from ${of}`);
    checkInput(name, types.get(of)!, types.get(name)!, split, problem);
  }
  return inputs;
}

/** Returns types that have a readonly member or refer to a type that has one. */
export function typesWithReadonly(
  types: Source["types"],
  isSchema: (name: string) => boolean,
): ReadonlySet<string> {
  const split = new Set<string>();
  const references = new Map<string, Set<string>>();
  for (const [name, type] of types) {
    if (!isSchema(name)) continue;
    references.set(name, referencesIn(type));
    if (
      type.kind === "interface" &&
      [...type.members.values()].some((member) => member.readonly)
    )
      split.add(name);
  }
  for (let size = -1; size !== split.size;) {
    size = split.size;
    for (const [name, targets] of references)
      if ([...targets].some((target) => split.has(target))) split.add(name);
  }
  return split;
}

/** Checks that a request type has the members of the result type except readonly ones. */
function checkInput(
  name: string,
  whole: Interface | Alias,
  input: Interface | Alias,
  split: ReadonlySet<string>,
  problem: (text: string) => void,
): void {
  if (whole.kind !== input.kind) return problem(`${name} is of another kind`);
  const members = membersOf(whole, input);
  const wanted = [...membersOf(undefined, whole)].filter(
    ([, member]) => !member.readonly,
  );
  for (const [key] of wanted)
    if (!members.has(key)) problem(`${name} has lost ${key}`);
  if (members.size > wanted.length) problem(`${name} has surplus members`);
  const types =
    input.kind === "alias"
      ? [input.type]
      : [...members.values()].map(({ type }) => type);
  for (const target of types.flatMap((type) => [...namesIn(type)]))
    if (split.has(target))
      problem(`${name} refers to the result type ${target}`);
}

/** Returns the members of an interface, including inherited ones. */
function membersOf(
  whole: Interface | Alias | undefined,
  type: Interface | Alias,
): Interface["members"] {
  if (type.kind === "alias") return new Map();
  const omitted = literalsIn(type.base?.typeArguments?.[1]);
  const inherited =
    type.base === undefined || whole?.kind !== "interface"
      ? []
      : [...whole.members].filter(([key]) => !omitted.includes(key));
  return new Map([...inherited, ...type.members]);
}

/** Returns the values of a literal type or a union of these. */
export function literalsIn(type: ts.TypeNode | undefined): string[] {
  if (type === undefined) return [];
  const options = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  return options.flatMap((option) =>
    ts.isLiteralTypeNode(option) && ts.isStringLiteral(option.literal)
      ? [option.literal.text]
      : [],
  );
}

function referencesIn(type: Interface | Alias): Set<string> {
  const nodes =
    type.kind === "alias"
      ? [type.type]
      : [
          ...[...type.members.values()].map((member) => member.type),
          ...(type.index === undefined ? [] : [type.index]),
        ];
  return new Set(nodes.flatMap((node) => [...namesIn(node)]));
}

/** Returns the names of all types that a type refers to. */
function namesIn(node: ts.Node, names: Set<string> = new Set()): Set<string> {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
    names.add(node.typeName.text);
  ts.forEachChild(node, (child) => void namesIn(child, names));
  return names;
}
