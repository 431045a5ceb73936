// This file is longer than 400 lines because the kinds of expressions share the
// same state, and each is a few lines.
import { ts } from "ts-morph";
import type { Side } from "../side.js";
import type { Element, ElementIndex } from "./elements.js";

/** Use of a part of a document in the user's code. */
export interface Use {
  readonly side: Side;
  /** JSON pointer into the document of `side`. */
  readonly pointer: string;
  /** Kind of the declaration that the code refers to. */
  readonly part: Element["kind"];
  /** Enum value that the code contains; absent for other uses. */
  readonly value?: string;
  /**
   * `name`: a name in the code refers to the part. `create`: the code creates an
   * object of the type. `complete`: the part and all that it contains could be
   * used, since types do not say what is used.
   */
  readonly kind: "name" | "create" | "complete";
  /** Position in the user's code. */
  readonly node: ts.Node;
}

/** Flags of types that have properties. */
const STRUCTURED = ts.TypeFlags.Object | ts.TypeFlags.Intersection;

/** Levels of nested objects that are compared where types differ. */
const MAX_DEPTH = 5;

/** Finds the uses of generated declarations in files of a program. */
export function findUses(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
  index: ElementIndex,
): readonly Use[] {
  const finder = new Finder(checker, index);
  for (const file of files) finder.visit(file);
  return finder.uses;
}

class Finder {
  readonly uses: Use[] = [];
  readonly #seen = new Set<string>();
  readonly #mentions = new Map<ts.Type, boolean>();

  constructor(
    readonly checker: ts.TypeChecker,
    readonly index: ElementIndex,
  ) {}

  visit(node: ts.Node): void {
    if (ts.isIdentifier(node)) this.#name(node);
    else if (ts.isStringLiteralLike(node)) this.#literal(node);
    else if (ts.isBindingElement(node)) this.#binding(node);
    else if (ts.isElementAccessExpression(node)) this.#computed(node);
    else if (ts.isObjectLiteralExpression(node)) this.#object(node);
    else if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node))
      this.#assertion(node);
    else if (ts.isClassLike(node)) this.#implementation(node);
    else if (ts.isTypeReferenceNode(node)) this.#typeArguments(node);
    else if (ts.isForInStatement(node)) this.#complete(node.expression);
    else if (isWrite(node)) this.#write(node);
    if (ts.isExpression(node)) this.#conversion(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #add(
    node: ts.Node,
    elements: readonly Element[],
    kind: Use["kind"] = "name",
    value?: string,
  ): void {
    for (const { side, pointer, kind: part } of elements) {
      const key = `${node.getSourceFile().fileName}\n${node.getStart()}\n${pointer}\n${kind}\n${value}\n${side.api.id}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.uses.push({
        side,
        pointer,
        part,
        kind,
        node,
        ...(value === undefined ? {} : { value }),
      });
    }
  }

  /** Returns the parts that a symbol represents. */
  #elementsOf(symbol: ts.Symbol | undefined): readonly Element[] {
    if (symbol === undefined) return [];
    const target =
      (symbol.flags & ts.SymbolFlags.Alias) === 0
        ? symbol
        : this.checker.getAliasedSymbol(symbol);
    const found: Element[] = [];
    for (const declaration of target.declarations ?? []) {
      found.push(...this.index.of(declaration));
      // Methods such as `delete` are exported under another name.
      if (ts.isExportSpecifier(declaration)) {
        const local =
          this.checker.getExportSpecifierLocalTargetSymbol(declaration);
        for (const one of local?.declarations ?? [])
          found.push(...this.index.of(one));
      }
    }
    return found;
  }

  /** Returns the symbol that an expression refers to. */
  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const { checker } = this;
    if (ts.isPropertyAccessExpression(node))
      return checker.getSymbolAtLocation(node.name);
    if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node))
      return this.#symbolOf(node.expression);
    if (!ts.isElementAccessExpression(node))
      return checker.getSymbolAtLocation(node);
    const { argumentExpression: name } = node;
    return ts.isStringLiteralLike(name)
      ? this.#propertyOf(checker.getTypeAtLocation(node.expression), name.text)
      : undefined;
  }

  /** Uses of the names of variables, types, and properties. */
  #name(node: ts.Identifier): void {
    const { parent } = node;
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
      const elements = this.#elementsOf(this.checker.getSymbolAtLocation(node));
      this.#add(node, elements);
      return;
    }
    if (ts.isPropertyAssignment(parent) && parent.name === node) return;
    if (ts.isShorthandPropertyAssignment(parent)) return;
    this.#add(node, this.#elementsOf(this.checker.getSymbolAtLocation(node)));
  }

  /** Uses of names in strings: `file["name"]`, `File["name"]`, and enum values. */
  #literal(node: ts.StringLiteralLike): void {
    const { parent } = node;
    if (
      ts.isElementAccessExpression(parent) &&
      parent.argumentExpression === node
    )
      this.#property(
        this.checker.getTypeAtLocation(parent.expression),
        node.text,
        node,
      );
    else if (
      ts.isLiteralTypeNode(parent) &&
      ts.isIndexedAccessTypeNode(parent.parent)
    )
      this.#add(node, this.#elementsOf(this.checker.getSymbolAtLocation(node)));
  }

  /** Uses of properties in patterns: `const { name } = file`. */
  #binding(node: ts.BindingElement): void {
    if (!ts.isObjectBindingPattern(node.parent)) return;
    const type = this.checker.getTypeAtLocation(node.parent);
    if (node.dotDotDotToken !== undefined) return;
    const name = node.propertyName ?? node.name;
    if (ts.isComputedPropertyName(name)) {
      if (!ts.isStringLiteralLike(name.expression)) this.#allOf(type, name);
      else this.#property(type, name.expression.text, name.expression);
    } else if (ts.isIdentifier(name) || ts.isStringLiteralLike(name))
      this.#property(type, name.text, name);
  }

  #property(type: ts.Type, name: string, node: ts.Node): void {
    this.#add(node, this.#elementsOf(this.#propertyOf(type, name)));
  }

  #propertyOf(type: ts.Type, name: string): ts.Symbol | undefined {
    return (
      this.checker.getNonNullableType(type).getProperty(name) ??
      partOf(type, (one) => one.getProperty(name))
    );
  }

  /** Uses of computed names: `file[key]`. */
  #computed(node: ts.ElementAccessExpression): void {
    const argument = node.argumentExpression;
    if (ts.isStringLiteralLike(argument) || ts.isNumericLiteral(argument))
      return;
    const key = this.checker.getTypeAtLocation(argument);
    const type = this.checker.getTypeAtLocation(node.expression);
    const names = typesIn(key).map((one) =>
      one.isStringLiteral() ? one.value : undefined,
    );
    if (names.length > 0 && names.every((name) => name !== undefined))
      for (const name of names) this.#property(type, name, argument);
    else this.#allOf(type, argument);
  }

  /** Marks the properties of a type as used by a computed name. */
  #allOf(type: ts.Type, node: ts.Node): void {
    for (const one of typesIn(type))
      // Elements of lists and maps have no names.
      if (
        one.getNumberIndexType() === undefined &&
        one.getStringIndexType() === undefined
      )
        for (const property of one.getProperties())
          this.#add(node, this.#elementsOf(property), "complete");
  }

  /** Uses of the properties of a type that an object literal sets. */
  #object(node: ts.ObjectLiteralExpression): void {
    const type = this.checker.getContextualType(node);
    if (type === undefined) return;
    const target = ts.isPropertyAssignment(node.parent)
      ? node.parent.name
      : node;
    for (const one of typesIn(type))
      this.#add(target, this.#declarationOf(one), "create");
    const isTarget = isAssignmentTarget(node);
    for (const member of node.properties) {
      const { name } = member;
      if (name === undefined) continue;
      if (
        ts.isComputedPropertyName(name) &&
        !ts.isStringLiteralLike(name.expression)
      ) {
        this.#allOf(type, name);
        continue;
      }
      const text = ts.isComputedPropertyName(name)
        ? (name.expression as ts.StringLiteral).text
        : name.text;
      const properties = typesIn(type).flatMap((one) => {
        const property = one.getProperty(text);
        return property === undefined ? [] : [property];
      });
      const elements = properties.flatMap((property) =>
        this.#elementsOf(property),
      );
      this.#add(name, elements);
      if (isTarget || elements.length === 0) continue;
      const value = ts.isPropertyAssignment(member)
        ? member.initializer
        : ts.isShorthandPropertyAssignment(member)
          ? member.name
          : undefined;
      if (value !== undefined) this.#value(value, elements);
      if (text === "fields" && value !== undefined) this.#selector(name, value);
    }
  }

  /** Uses of enum values that the code sends. */
  #value(node: ts.Expression, elements: readonly Element[]): void {
    for (const one of typesIn(this.checker.getTypeAtLocation(node)))
      if (one.isStringLiteral()) this.#add(node, elements, "name", one.value);
      else if ((one.flags & ts.TypeFlags.StringLike) !== 0)
        // Any string could be sent.
        this.#add(node, elements, "complete", "");
  }

  /** Uses of properties in field selectors, such as `fields: "files(id,name)"`. */
  #selector(name: ts.Node, value: ts.Expression): void {
    const call = ts.findAncestor(name, ts.isCallExpression);
    if (call === undefined) return;
    const methods = this.#elementsOf(this.#symbolOf(call.expression)).filter(
      ({ kind }) => kind === "method",
    );
    if (methods.length === 0) return;
    for (const type of typesIn(this.checker.getTypeAtLocation(value)))
      if (type.isStringLiteral())
        for (const part of type.value.match(/[\w-]+/g) ?? [])
          this.#add(value, methods, "name", `fields ${part}`);
      else this.#add(value, methods, "complete");
  }

  /** Conversions by `as`: what becomes `any` can be used in any way. */
  #assertion(node: ts.AsExpression | ts.TypeAssertion): void {
    const from = this.checker.getTypeAtLocation(node.expression);
    const to = this.checker.getTypeFromTypeNode(node.type);
    if (ts.isConstTypeReference(node.type)) return;
    this.#relate(from, to, node.expression);
  }

  /** Members of classes that implement generated interfaces. */
  #implementation(node: ts.ClassLikeDeclaration): void {
    for (const clause of node.heritageClauses ?? [])
      for (const type of clause.types) {
        const base = this.checker.getTypeAtLocation(type);
        for (const member of node.members)
          if (
            member.name !== undefined &&
            (ts.isIdentifier(member.name) ||
              ts.isStringLiteralLike(member.name))
          )
            this.#property(base, member.name.text, member.name);
      }
  }

  /** Names in type arguments: `Pick<File, "name">`. */
  #typeArguments(node: ts.TypeReferenceNode): void {
    const typeArguments: readonly ts.TypeNode[] = node.typeArguments ?? [];
    const types = typeArguments.map((one) =>
      this.checker.getTypeFromTypeNode(one),
    );
    for (const [at, type] of types.entries())
      for (const literal of typesIn(type))
        if (literal.isStringLiteral())
          for (const other of types)
            if (other !== type)
              this.#add(
                typeArguments[at]!,
                typesIn(other).flatMap((one) =>
                  this.#elementsOf(one.getProperty(literal.value)),
                ),
              );
  }

  /** Uses of enum values in comparisons, and assignments to properties. */
  #write(node: ts.BinaryExpression | ts.CaseClause): void {
    if (ts.isCaseClause(node)) {
      this.#comparison(node.parent.parent.expression, node.expression);
      return;
    }
    const { left, right, operatorToken } = node;
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const elements = this.#elementsOf(this.#symbolOf(left));
      if (elements.length > 0) this.#value(right, elements);
    } else {
      this.#comparison(left, right);
      this.#comparison(right, left);
    }
  }

  #comparison(subject: ts.Expression, other: ts.Expression): void {
    const elements = this.#origins(subject, 0);
    if (elements.length === 0) return;
    for (const type of typesIn(this.checker.getTypeAtLocation(other)))
      if (type.isStringLiteral())
        this.#add(other, elements, "name", type.value);
  }

  /** Returns the parts whose value an expression has. */
  #origins(node: ts.Node, depth: number): readonly Element[] {
    if (depth > MAX_DEPTH) return [];
    const symbol = this.#symbolOf(node);
    const elements = this.#elementsOf(symbol);
    if (elements.length > 0) return elements;
    return (symbol?.declarations ?? []).flatMap((declaration) => {
      if (ts.isVariableDeclaration(declaration) && declaration.initializer)
        return this.#origins(declaration.initializer, depth + 1);
      if (
        ts.isBindingElement(declaration) &&
        ts.isObjectBindingPattern(declaration.parent)
      ) {
        const name = declaration.propertyName ?? declaration.name;
        if (ts.isIdentifier(name) || ts.isStringLiteralLike(name))
          return this.#elementsOf(
            this.#propertyOf(
              this.checker.getTypeAtLocation(declaration.parent),
              name.text,
            ),
          );
      }
      return [];
    });
  }

  /** Compares the type of an expression with the type that is expected there. */
  #conversion(node: ts.Expression): void {
    if (
      ts.isObjectLiteralExpression(node) ||
      ts.isArrayLiteralExpression(node) ||
      ts.isParenthesizedExpression(node) ||
      ts.isConditionalExpression(node) ||
      ts.isFunctionLike(node) ||
      ts.isLiteralExpression(node) ||
      isAssignmentTarget(node) ||
      isInferred(node)
    )
      return;
    const target = this.checker.getContextualType(node);
    if (target === undefined) return;
    this.#relate(this.checker.getTypeAtLocation(node), target, node);
  }

  /** Marks all properties of an expression's value as used. */
  #complete(node: ts.Expression): void {
    this.#completeType(this.checker.getTypeAtLocation(node), node, 0);
  }

  #relate(from: ts.Type, to: ts.Type, node: ts.Node): void {
    this.#compare(from, to, node, 0, new Set());
  }

  #compare(
    from: ts.Type,
    to: ts.Type,
    node: ts.Node,
    depth: number,
    visited: Set<string>,
  ): void {
    if (from === to || depth > MAX_DEPTH) return;
    const key = `${idOf(from)} ${idOf(to)}`;
    if (visited.has(key)) return;
    visited.add(key);
    if (!this.#mentionsGenerated(from) && !this.#mentionsGenerated(to)) return;
    if (isOpaque(to)) {
      this.#completeType(from, node, 0);
      return;
    }
    if (isOpaque(from)) {
      this.#completeType(to, node, 0);
      return;
    }
    const sources = typesIn(from);
    for (const target of typesIn(to)) {
      if (sources.includes(target)) continue;
      for (const source of sources)
        this.#compareParts(source, target, node, depth, visited);
    }
  }

  #compareParts(
    source: ts.Type,
    target: ts.Type,
    node: ts.Node,
    depth: number,
    visited: Set<string>,
  ): void {
    const { checker } = this;
    if (isOpaque(target)) {
      this.#completeType(source, node, 0);
      return;
    }
    const [a, b] = [elementOf(source, checker), elementOf(target, checker)];
    if (a !== undefined || b !== undefined) {
      if (a !== undefined && b !== undefined)
        this.#compare(a, b, node, depth + 1, visited);
      return;
    }
    if ((source.flags & STRUCTURED) === 0) return;
    if ((target.flags & STRUCTURED) === 0) return;
    if (
      source.getCallSignatures().length + target.getCallSignatures().length >
      0
    )
      return;
    if (
      target.getProperties().length === 0 &&
      target.getStringIndexType() === undefined
    ) {
      this.#completeType(source, node, 0);
      return;
    }
    const values = target.getStringIndexType();
    if (
      values !== undefined &&
      isOpaque(values) &&
      source.getStringIndexType() === undefined
    )
      this.#completeType(source, node, 0);
    for (const property of target.getProperties()) {
      const other = source.getProperty(property.name);
      if (other === undefined) continue;
      const [old, now] = [this.#elementsOf(other), this.#elementsOf(property)];
      const isSame = old.some(({ pointer }) =>
        now.some((one) => one.pointer === pointer),
      );
      if (!isSame) {
        this.#add(node, [...old, ...now]);
        // The declaration in the user's code names the property, too.
        for (const declaration of [other, property].flatMap(
          (one) => one.declarations ?? [],
        ))
          if (
            ts.isPropertyAssignment(declaration) ||
            ts.isShorthandPropertyAssignment(declaration)
          )
            this.#add(declaration.name, [...old, ...now]);
      }
      this.#compare(
        checker.getTypeOfSymbolAtLocation(other, node),
        checker.getTypeOfSymbolAtLocation(property, node),
        node,
        depth + 1,
        visited,
      );
    }
  }

  /** Marks all that a value of a type contains as used. */
  #completeType(type: ts.Type, node: ts.Node, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const one of typesIn(type)) {
      const declared = this.#declarationOf(one);
      this.#add(node, declared, "complete");
      if (declared.length > 0) continue;
      const element = elementOf(one, this.checker);
      if (element !== undefined) this.#completeType(element, node, depth + 1);
      else if (this.#mentionsGenerated(one)) {
        for (const property of one.getProperties()) {
          const elements = this.#elementsOf(property);
          this.#add(node, elements, "complete");
          if (elements.length === 0 && isInUserCode(property))
            this.#completeType(
              this.checker.getTypeOfSymbolAtLocation(property, node),
              node,
              depth + 1,
            );
        }
      }
    }
  }

  /** Returns the schemas or resources that a type is declared for. */
  #declarationOf(type: ts.Type): readonly Element[] {
    return [type.symbol, type.aliasSymbol].flatMap((symbol) =>
      (symbol?.declarations ?? []).flatMap((declaration) =>
        this.index.of(declaration),
      ),
    );
  }

  /** Tests whether a value of a type has generated parts. */
  #mentionsGenerated(type: ts.Type, depth = 0): boolean {
    const known = this.#mentions.get(type);
    if (known !== undefined) return known;
    if (depth > MAX_DEPTH) return false;
    this.#mentions.set(type, false);
    const { checker } = this;
    const found = typesIn(type).some((one) => {
      if (one !== type) return this.#mentionsGenerated(one, depth + 1);
      if ((one.flags & STRUCTURED) === 0) return false;
      if (this.#declarationOf(one).length > 0) return true;
      const reference = one as ts.TypeReference;
      if (
        (reference.objectFlags & ts.ObjectFlags.Reference) !== 0 &&
        checker
          .getTypeArguments(reference)
          .some(
            (argument) =>
              argument !== one && this.#mentionsGenerated(argument, depth + 1),
          )
      )
        return true;
      return one
        .getProperties()
        .slice(0, 500)
        .some(
          (property) =>
            this.#elementsOf(property).length > 0 ||
            (isInUserCode(property) &&
              this.#mentionsGenerated(
                checker.getTypeOfSymbol(property),
                depth + 1,
              )),
        );
    });
    this.#mentions.set(type, found);
    return found;
  }
}

/** Returns the alternatives of a type without null and undefined. */
function typesIn(type: ts.Type): readonly ts.Type[] {
  const empty = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void;
  const types = type.isUnion() ? type.types : [type];
  return types.filter(({ flags }) => (flags & empty) === 0);
}

function partOf<T>(
  type: ts.Type,
  find: (one: ts.Type) => T | undefined,
): T | undefined {
  for (const one of typesIn(type)) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the type of the elements of a list, promise or iterable. */
function elementOf(
  type: ts.Type,
  checker: ts.TypeChecker,
): ts.Type | undefined {
  const list = type.getNumberIndexType();
  if (list !== undefined) return list;
  const { name } = type.symbol ?? {};
  if (name !== "Promise" && name !== "PromiseLike") return undefined;
  return checker.getTypeArguments(type as ts.TypeReference)[0];
}

/** Tests whether a type does not declare properties of its values. */
function isOpaque({ flags }: ts.Type): boolean {
  const opaque =
    ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;
  return (flags & opaque) !== 0;
}

function idOf(type: ts.Type): number {
  return (type as unknown as { readonly id: number }).id;
}

/** Tests whether a property is declared in a file that is not a library. */
function isInUserCode({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((node) => {
    const file = node.getSourceFile();
    return !file.isDeclarationFile && !/\/runtime\//.test(file.fileName);
  });
}

type Write = ts.BinaryExpression | ts.CaseClause;

const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function isWrite(node: ts.Node): node is Write {
  return (
    ts.isCaseClause(node) ||
    (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind))
  );
}

/**
 * Tests whether an expression determines the type of a variable. The type that
 * the compiler expects there is that of the variable's pattern.
 */
function isInferred({ parent }: ts.Node): boolean {
  return ts.isVariableDeclaration(parent) && parent.type === undefined;
}

/** Tests whether a node is the target of an assignment, such as `({ a } = b)`. */
function isAssignmentTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return (
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    );
  return ts.isParenthesizedExpression(parent) && isAssignmentTarget(parent);
}
