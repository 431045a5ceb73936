import ts from "ts6";
import type { Counts, RawNode } from "./document.js";
import type { Alias, Interface, Source } from "./source.js";

/** Types for scalars of the document. */
const SCALARS: Readonly<Record<string, ts.SyntaxKind>> = {
  string: ts.SyntaxKind.StringKeyword,
  integer: ts.SyntaxKind.NumberKeyword,
  number: ts.SyntaxKind.NumberKeyword,
  boolean: ts.SyntaxKind.BooleanKeyword,
};

/** Returns the name of a type reference; undefined for other types. */
export function referenceOf(type: ts.TypeNode | undefined): string | undefined {
  return type !== undefined &&
    ts.isTypeReferenceNode(type) &&
    ts.isIdentifier(type.typeName)
    ? type.typeName.text
    : undefined;
}

/** Returns a type without parentheses and `readonly`. */
export function bare(type: ts.TypeNode): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(type)) return bare(type.type);
  return ts.isTypeOperatorNode(type) ? bare(type.type) : type;
}

/** Returns the values of an open enum; undefined for other types. */
export function openEnum(type: ts.TypeNode): Set<string> | undefined {
  if (!ts.isUnionTypeNode(type)) return undefined;
  const values = new Set<string>();
  let isOpen = false;
  for (const option of type.types) {
    if (ts.isLiteralTypeNode(option) && ts.isStringLiteral(option.literal))
      values.add(option.literal.text);
    else if (isAnyOtherString(bare(option))) isOpen = true;
    else return undefined;
  }
  return isOpen ? values : undefined;
}

/** Returns the values of a closed enum. */
function literalsOf(type: ts.TypeNode): readonly string[] {
  const options = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  return options.map((option) =>
    ts.isLiteralTypeNode(option) && ts.isStringLiteral(option.literal)
      ? option.literal.text
      : "another string",
  );
}

/** `string & {}`, which keeps the literals beside it in completions. */
function isAnyOtherString(type: ts.TypeNode): boolean {
  return (
    ts.isIntersectionTypeNode(type) &&
    type.types[0]!.kind === ts.SyntaxKind.StringKeyword &&
    ts.isTypeLiteralNode(type.types[1]!)
  );
}

/** Compares schemas of a document with generated types. */
export class SchemaWalk {
  /** Types that were compared. */
  readonly visited = new Set<string>();

  constructor(
    /** File that declares the types: schemas.ts, or that of parameters. */
    private readonly source: Source,
    private readonly schemas: Readonly<Record<string, RawNode>>,
    /** Types by schema id, if the names differ. */
    private readonly renamed: ReadonlyMap<string, string>,
    private readonly totals: Counts,
    private readonly problem: (text: string) => void,
  ) {}

  /** Returns the type name of a schema. */
  nameOf(id: string): string {
    return this.renamed.get(id) ?? id;
  }

  /** Compares a named schema of the document. */
  declaration(id: string, raw: RawNode): void {
    this.totals.schemas++;
    const name = this.nameOf(id);
    const type = this.source.types.get(name);
    if (type === undefined)
      return this.problem(`schema ${id}: no type ${name}`);
    if (this.visited.has(name)) return;
    this.visited.add(name);
    if (type.kind === "interface") this.members(id, raw, type);
    else this.alias(id, raw, type);
  }

  private alias(place: string, raw: RawNode, { type }: Alias): void {
    if (raw.enum !== undefined) this.enumeration(place, raw, type);
    else this.node(place, raw, type);
  }

  /** Compares a part of a schema with its type. */
  node(place: string, raw: RawNode, given: ts.TypeNode): void {
    const type = bare(given);
    if (raw.$ref !== undefined) return this.reference(place, raw.$ref, type);
    if (raw.type === "array")
      return ts.isArrayTypeNode(type)
        ? this.node(
            `${place}[]`,
            raw.items ?? { type: "any" },
            type.elementType,
          )
        : this.problem(`${place}: the type is not an array`);
    if (raw.variant !== undefined) return this.variant(place, raw, type);
    if (raw.properties !== undefined && Object.keys(raw.properties).length > 0)
      return this.inline(place, raw, type);
    if (raw.type === "object" || raw.additionalProperties !== undefined)
      return this.map(place, raw, type);
    if (raw.enum !== undefined && raw.enum.length > 0)
      return this.namedEnum(place, raw, type);
    this.scalar(place, raw, type);
  }

  private reference(place: string, id: string, type: ts.TypeNode): void {
    if (this.schemas[id] === undefined) {
      if (type.kind !== ts.SyntaxKind.UnknownKeyword)
        this.problem(`${place}: a reference to nothing is not unknown`);
    } else if (referenceOf(type) !== this.nameOf(id))
      this.problem(`${place}: is not ${this.nameOf(id)}`);
  }

  private variant(place: string, raw: RawNode, type: ts.TypeNode): void {
    const wanted = (raw.variant!.map ?? []).map(({ $ref }) =>
      this.nameOf($ref ?? ""),
    );
    const found = (ts.isUnionTypeNode(type) ? [...type.types] : [type]).map(
      referenceOf,
    );
    if (wanted.join() !== found.join())
      this.problem(`${place}: has not the options ${wanted.join()}`);
  }

  private inline(place: string, raw: RawNode, type: ts.TypeNode): void {
    const name = referenceOf(type);
    const found = name === undefined ? undefined : this.source.types.get(name);
    if (found?.kind !== "interface")
      return this.problem(`${place}: an inline object has no interface`);
    if (this.visited.has(name!))
      return this.problem(`${place}: shares ${name} with another schema`);
    this.visited.add(name!);
    this.members(place, raw, found);
  }

  /** Compares the properties of an object with the members of a type. */
  private members(place: string, raw: RawNode, found: Interface): void {
    const properties = Object.entries(raw.properties ?? {});
    const names = new Set(properties.map(([name]) => name));
    for (const name of found.members.keys())
      if (!names.has(name))
        this.problem(`${place}: has the surplus member ${name}`);
    for (const [name, property] of properties) {
      this.totals.properties++;
      const member = found.members.get(name);
      if (member === undefined) {
        this.problem(`${place}.${name}: lost`);
        continue;
      }
      if (property.readOnly === true) this.totals.readOnlyProperties++;
      if (member.readonly !== (property.readOnly === true))
        this.problem(`${place}.${name}: readonly is wrong`);
      if (member.optional === (property.required === true))
        this.problem(`${place}.${name}: optional is wrong`);
      this.node(`${place}.${name}`, property, member.type);
    }
    this.index(place, raw, found);
  }

  private index(place: string, raw: RawNode, { index }: Interface): void {
    if ((raw.additionalProperties !== undefined) !== (index !== undefined))
      return this.problem(
        `${place}: additionalProperties and index signature differ`,
      );
    if (index === undefined) return;
    if (Object.keys(raw.properties ?? {}).length === 0)
      this.node(`${place}{}`, raw.additionalProperties!, index);
    else if (index.kind !== ts.SyntaxKind.UnknownKeyword)
      this.problem(`${place}{}: is not unknown`);
  }

  private map(place: string, raw: RawNode, type: ts.TypeNode): void {
    const [member] = ts.isTypeLiteralNode(type) ? type.members : [];
    if (member === undefined || !ts.isIndexSignatureDeclaration(member))
      return this.problem(`${place}: a map has no index signature`);
    this.node(
      `${place}{}`,
      raw.additionalProperties ?? { type: "any" },
      member.type,
    );
  }

  private namedEnum(place: string, raw: RawNode, type: ts.TypeNode): void {
    const name = referenceOf(type);
    const found = name === undefined ? undefined : this.source.types.get(name);
    if (found?.kind !== "alias")
      return this.problem(`${place}: an enum has no type of its own`);
    // Equal enums share a type; the values are compared for each of them.
    this.visited.add(name!);
    this.enumeration(place, raw, found.type);
  }

  /** Compares an enum with a closed type of some of its values. */
  closed(
    place: string,
    all: readonly string[],
    wanted: readonly string[],
    type: ts.TypeNode,
  ): void {
    this.totals.enums++;
    this.totals.enumValues += all.length;
    const name = referenceOf(type) ?? "";
    const found = this.source.types.get(name);
    this.visited.add(name);
    const values = found?.kind === "alias" ? literalsOf(found.type) : [];
    if (values.join() !== (wanted.length === 0 ? all : wanted).join())
      this.problem(`${place}: has the values ${values.join()}`);
  }

  private enumeration(place: string, raw: RawNode, type: ts.TypeNode): void {
    this.totals.enums++;
    this.totals.enumValues += raw.enum!.length;
    const values = openEnum(type);
    if (values === undefined)
      return this.problem(`${place}: is not an open enum`);
    for (const value of raw.enum!)
      if (!values.has(value))
        this.problem(`${place}: has lost the value ${value}`);
    if (values.size !== new Set(raw.enum).size)
      this.problem(`${place}: has surplus values`);
  }

  private scalar(place: string, raw: RawNode, type: ts.TypeNode): void {
    const wanted = SCALARS[raw.type ?? ""] ?? ts.SyntaxKind.UnknownKeyword;
    const isDouble =
      raw.type === "number" && raw.format !== undefined && this.isDouble(type);
    if (type.kind !== wanted && !isDouble)
      this.problem(
        `${place}: ${raw.type} is printed as ${ts.SyntaxKind[type.kind]}`,
      );
  }

  /** Returns whether a type is the runtime's type for numbers that may be NaN. */
  private isDouble(type: ts.TypeNode): boolean {
    return this.source.imports.get(referenceOf(type) ?? "")?.name === "Double";
  }
}
