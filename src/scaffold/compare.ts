import { ts } from "ts-morph";
import { nameOf, resolve, type ResolvedExpression } from "./source.js";
import type { ServiceMember } from "./tree.js";

/** Members that must be added to an object literal or a class. */
export interface Addition {
  readonly target: ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;
  readonly members: readonly ServiceMember[];
}

/** Issue that the user must resolve, with its position in the file. */
export interface ScaffoldIssue {
  readonly kind: "stale" | "unclear" | "elsewhere" | "opaque";
  readonly path: readonly string[];
  readonly node: ts.Node;
}

/**
 * Result of comparing a service implementation with its API: missing members,
 * and issues in the file.
 */
export interface Comparison {
  readonly additions: readonly Addition[];
  readonly issues: readonly ScaffoldIssue[];
}

/** Members of an object literal or a class, keyed by name. */
interface MemberNames {
  readonly known: ReadonlyMap<string, ts.Node>;
  /**
   * Spread elements, computed keys and base classes, whose member names can't
   * be determined.
   */
  readonly unknown: readonly ts.Node[];
}

/** Compares a service with the members that its API requires. */
export function compare(
  service: ResolvedExpression,
  members: readonly ServiceMember[],
  source: ts.SourceFile,
): Comparison {
  const additions: Addition[] = [];
  const issues: ScaffoldIssue[] = [];
  const visit = (
    expression: ResolvedExpression,
    expected: readonly ServiceMember[],
    path: readonly string[],
  ): void => {
    if (expression.kind === "opaque" || expression.kind === "value") {
      issues.push({ kind: "opaque", path, node: expression.node });
      return;
    }
    const { kind, node } = expression;
    const { known, unknown } = memberNamesOf(expression);
    const missing = expected.filter(({ name }) => !known.has(name));
    if (missing.length > 0 && unknown.length > 0)
      for (const member of missing)
        issues.push({ kind: "unclear", path: member.path, node: unknown[0]! });
    else if (missing.length > 0 && node.getSourceFile() !== source)
      for (const member of missing)
        issues.push({ kind: "elsewhere", path: member.path, node });
    else if (missing.length > 0)
      additions.push({ target: node, members: missing });
    if (kind === "object") {
      const names = new Set(expected.map(({ name }) => name));
      for (const [name, member] of known)
        if (!names.has(name))
          issues.push({ kind: "stale", path: [...path, name], node: member });
    }
    for (const { name, members: inner, path: innerPath } of expected) {
      const member = known.get(name);
      if (inner === undefined || member === undefined) continue;
      visit(valueOf(member), inner, innerPath);
    }
  };
  visit(service, members, []);
  return { additions, issues };
}

function memberNamesOf(expression: ResolvedExpression): MemberNames {
  if (expression.kind === "object") return memberNamesOfObject(expression.node);
  if (expression.kind === "class") return memberNamesOfClass(expression.node);
  return { known: new Map(), unknown: [expression.node] };
}

function memberNamesOfObject(node: ts.ObjectLiteralExpression): MemberNames {
  const known = new Map<string, ts.Node>();
  const unknown: ts.Node[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const inner = memberNamesOf(resolve(property.expression));
      inner.known.forEach((node, name) => known.set(name, node));
      if (inner.unknown.length > 0) unknown.push(property);
      continue;
    }
    const name = nameOf(property.name);
    if (name === undefined) unknown.push(property);
    else known.set(name, property);
  }
  return { known, unknown };
}

function memberNamesOfClass(node: ts.ClassLikeDeclaration): MemberNames {
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

/** Resolves the value of a member of an object literal or a class. */
function valueOf(member: ts.Node): ResolvedExpression {
  if (ts.isShorthandPropertyAssignment(member)) return resolve(member.name);
  const isSet =
    ts.isPropertyAssignment(member) || ts.isPropertyDeclaration(member);
  return isSet && member.initializer !== undefined
    ? resolve(member.initializer)
    : { kind: "value", node: member };
}
