import { ts } from "ts-morph";
import { nameOf, resolve, type Found } from "./source.js";
import type { Member } from "./tree.js";

/** Members that are to be added to an object or a class. */
export interface Addition {
  readonly to: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;
  readonly members: readonly Member[];
}

/** Something that a person has to look at, with its place. */
export interface Remark {
  readonly kind: "stale" | "unclear" | "elsewhere" | "opaque";
  readonly path: readonly string[];
  readonly at: ts.Node;
}

/** What a file lacks, and what is odd about it. */
export interface Comparison {
  readonly additions: readonly Addition[];
  readonly remarks: readonly Remark[];
}

/** What an object or a class has, by name; and whether there can be more. */
interface Contents {
  readonly known: ReadonlyMap<string, ts.Node>;
  /** Spreads and computed keys of which the names can't be told. */
  readonly unknown: readonly ts.Node[];
}

/** Compares what a service has with what it should have. */
export function compare(
  service: Found,
  members: readonly Member[],
  source: ts.SourceFile,
): Comparison {
  const additions: Addition[] = [];
  const remarks: Remark[] = [];
  const visit = (
    found: Found,
    wanted: readonly Member[],
    path: readonly string[],
  ): void => {
    if (found.kind === "opaque" || found.kind === "value") {
      remarks.push({ kind: "opaque", path, at: found.node });
      return;
    }
    const { kind, node } = found;
    const { known, unknown } = contentsOf(found);
    const missing = wanted.filter(({ name }) => !known.has(name));
    if (missing.length > 0 && unknown.length > 0)
      for (const one of missing)
        remarks.push({ kind: "unclear", path: one.path, at: unknown[0]! });
    else if (missing.length > 0 && node.getSourceFile() !== source)
      for (const one of missing)
        remarks.push({ kind: "elsewhere", path: one.path, at: node });
    else if (missing.length > 0) additions.push({ to: node, members: missing });
    if (kind === "object") {
      const names = new Set(wanted.map(({ name }) => name));
      for (const [name, at] of known)
        if (!names.has(name))
          remarks.push({ kind: "stale", path: [...path, name], at });
    }
    for (const member of wanted) {
      const at = known.get(member.name);
      if (member.members === undefined || at === undefined) continue;
      visit(valueOf(at), member.members, member.path);
    }
  };
  visit(service, members, []);
  return { additions, remarks };
}

function contentsOf(found: Found): Contents {
  if (found.kind === "object") return contentsOfObject(found.node);
  if (found.kind === "class") return contentsOfClass(found.node);
  return { known: new Map(), unknown: [found.node] };
}

function contentsOfObject(node: ts.ObjectLiteralExpression): Contents {
  const known = new Map<string, ts.Node>();
  const unknown: ts.Node[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const inner = contentsOf(resolve(property.expression));
      inner.known.forEach((one, name) => known.set(name, one));
      if (inner.unknown.length > 0) unknown.push(property);
      continue;
    }
    const name = nameOf(property.name);
    if (name === undefined) unknown.push(property);
    else known.set(name, property);
  }
  return { known, unknown };
}

function contentsOfClass(node: ts.ClassLikeDeclaration): Contents {
  const known = new Map<string, ts.Node>();
  const unknown: ts.Node[] = [];
  const base = node.heritageClauses?.find(
    ({ token }) => token === ts.SyntaxKind.ExtendsKeyword,
  );
  if (base !== undefined) unknown.push(base);
  for (const member of node.members) {
    if (member.name === undefined) continue;
    const name = nameOf(member.name);
    if (name === undefined) unknown.push(member);
    else known.set(name, member);
  }
  return { known, unknown };
}

/** What the member of an object or a class holds. */
function valueOf(member: ts.Node): Found {
  if (ts.isShorthandPropertyAssignment(member)) return resolve(member.name);
  const isSet =
    ts.isPropertyAssignment(member) || ts.isPropertyDeclaration(member);
  return isSet && member.initializer !== undefined
    ? resolve(member.initializer)
    : { kind: "value", node: member };
}
