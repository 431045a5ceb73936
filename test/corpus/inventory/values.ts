import ts from "ts6";

/** A value in generated code: that of a literal, or a reference. */
export type Value =
  | string
  | number
  | boolean
  | readonly Value[]
  | {
      readonly kind: "object";
      readonly entries: ReadonlyMap<string, Value>;
      readonly spread: readonly Value[];
    }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Value[];
    }
  | { readonly kind: "name"; readonly path: readonly string[] }
  | { readonly kind: "other"; readonly text: string };

/** Returns the text of a property's name. */
export function nameOf(name: ts.PropertyName): string {
  if (
    ts.isIdentifier(name) ||
    ts.isStringLiteralLike(name) ||
    ts.isNumericLiteral(name)
  )
    return name.text;
  if (
    ts.isComputedPropertyName(name) &&
    ts.isStringLiteralLike(name.expression)
  )
    return name.expression.text;
  throw new Error("a name that is computed");
}

/** Returns the value of an expression. */
export function valueOf(node: ts.Expression): Value {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isParenthesizedExpression(node)) return valueOf(node.expression);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
    return valueOf(node.body);
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isIdentifier(node)) return { kind: "name", path: [node.text] };
  if (ts.isObjectLiteralExpression(node)) return objectOf(node);
  if (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node)
  ) {
    const owner = valueOf(node.expression);
    const key = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : valueOf(node.argumentExpression);
    if (typeof owner === "object" && "kind" in owner && owner.kind === "name")
      return { kind: "name", path: [...owner.path, String(key)] };
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
    return {
      kind: "call",
      name: node.expression.text,
      args: node.arguments.map(valueOf),
    };
  return { kind: "other", text: ts.SyntaxKind[node.kind] };
}

function objectOf(node: ts.ObjectLiteralExpression): Value {
  const entries = new Map<string, Value>();
  const spread: Value[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property))
      spread.push(valueOf(property.expression));
    else if (ts.isPropertyAssignment(property))
      addOnce(
        entries,
        nameOf(property.name),
        valueOf(property.initializer),
        "an object",
      );
    else if (ts.isShorthandPropertyAssignment(property))
      addOnce(
        entries,
        property.name.text,
        { kind: "name", path: [property.name.text] },
        "an object",
      );
    else throw new Error("an object with a member that is not a property");
  }
  return { kind: "object", entries, spread };
}

/** Returns the entries of an object literal; none for other values. */
export function entriesOf(
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  return typeof value === "object" && "kind" in value && value.kind === "object"
    ? value.entries
    : new Map();
}

/** Returns the function and the argument of a call; undefined for other values. */
export function callOf(
  value: Value | undefined,
): { readonly name: string; readonly args: readonly Value[] } | undefined {
  return typeof value === "object" && "kind" in value && value.kind === "call"
    ? value
    : undefined;
}

/** Returns the dotted name of a reference; empty for other values. */
export function pathOf(value: Value | undefined): readonly string[] {
  return typeof value === "object" && "kind" in value && value.kind === "name"
    ? value.path
    : [];
}

/** Adds to a map. Throws if the key exists. */
export function addOnce<T>(
  map: Map<string, T>,
  key: string,
  value: T,
  file: string,
): void {
  if (map.has(key)) throw new Error(`${file} declares ${key} twice`);
  map.set(key, value);
}
