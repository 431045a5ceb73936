import ts from "ts6";
import type { Alias, Interface, Source } from "./source.js";

/**
 * The shapes that requests have: every type of schemas.ts that stands for no
 * schema is the request's shape of one that does, and has all of its members
 * but for those that only results have, however deep.
 *
 * @returns the request's shape by type, where it is another.
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
    if (!split.has(of)) problem(`${name} is no other than ${of}`);
    checkInput(name, types.get(of)!, types.get(name)!, split, problem);
  }
  return inputs;
}

/** Types with a readonly member, or that refer to a type that has one. */
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

/** A request's shape has what the result's shape has, but for readonly members. */
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
      problem(`${name} refers to ${target}, as results have it`);
}

/** Members of an interface with those that it inherits from the whole. */
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

/** The texts of a union of literals, or of one. */
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

/** Names of all types that a type mentions. */
function namesIn(node: ts.Node, names: Set<string> = new Set()): Set<string> {
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
    names.add(node.typeName.text);
  ts.forEachChild(node, (child) => void namesIn(child, names));
  return names;
}
