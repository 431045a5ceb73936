// This file is longer than 400 lines, because the origins of values, responses and
// elements are found by functions that call each other.

import { ts } from "ts-morph";
import { withoutWrappers } from "./syntax.js";
import { CLIENT, METHOD, RESPONSE } from "./google-declarations.js";
import { DECLARATIONS } from "./open-program.js";

/** Value of googleapis that an expression has. */
export interface GoogleValue {
  readonly kind: "client" | "method" | "response";
  /** Name of the API in googleapis; empty for responses. */
  readonly name: string;
  readonly version: string;
}

const KINDS = new Map([
  [CLIENT, "client"],
  [METHOD, "method"],
  [RESPONSE, "response"],
] as const);

/** Calls of functions and classes. */
type CallIndex = Map<ts.Symbol, (ts.CallExpression | ts.NewExpression)[]>;

type FunctionNode = ts.SignatureDeclaration & {
  readonly body?: ts.Node | undefined;
};

/**
 * Finds clients, methods and responses of googleapis among the expressions of a
 * program: by their type, and by their origin if the type is `any`, as that of
 * parameters in JavaScript.
 */
export class GoogleValues {
  /** Results by origin; null while the expression is examined. */
  readonly #found = new Map<ts.Node, GoogleValue | null | undefined>();
  readonly #awaited = new Map<ts.Node, GoogleValue | null | undefined>();
  /** Calls of the program's functions, keyed by the name that the function has. */
  #calls: CallIndex | undefined;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly files: readonly ts.SourceFile[],
  ) {}

  /** Returns the value of googleapis that an expression has. */
  valueOf(node: ts.Node): GoogleValue | undefined {
    const type = this.checker.getTypeAtLocation(node);
    const found = this.valueOfType(type);
    return found === undefined && isAny(type)
      ? once(this.#found, node, () => this.#origin(node))
      : found;
  }

  valueOfType(type: ts.Type): GoogleValue | undefined {
    const target = this.checker.getNonNullableType(type);
    const kind = KINDS.get(target.symbol?.name as typeof CLIENT);
    if (
      kind === undefined ||
      target.symbol.declarations?.[0]?.getSourceFile().fileName !== DECLARATIONS
    )
      return undefined;
    const [name, version] = this.checker
      .getTypeArguments(target as ts.TypeReference)
      .map((one) => (one.isStringLiteral() ? one.value : ""));
    return { kind, name: name ?? "", version: version ?? "" };
  }

  /** Returns the value of googleapis that `await` of an expression has. */
  valueOfAwaited(node: ts.Node): GoogleValue | undefined {
    const type = this.checker.getTypeAtLocation(node);
    const awaited = this.checker.getAwaitedType(type) ?? type;
    const found = this.valueOfType(awaited);
    return found === undefined && isAny(awaited)
      ? once(this.#awaited, node, () => this.#awaitedOrigin(node))
      : found;
  }

  /** Returns the value of a variable or parameter, also that of a pattern. */
  valueOfDeclaration(
    node: ts.VariableDeclaration | ts.ParameterDeclaration,
  ): GoogleValue | undefined {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined)
      return this.valueOf(node.initializer);
    const type = this.checker.getTypeAtLocation(node);
    return (
      this.valueOfType(type) ??
      (ts.isParameter(node) &&
      (isAny(type) || ts.isObjectBindingPattern(node.name))
        ? this.#parameter(node)
        : undefined)
    );
  }

  /** Returns the value that a pattern takes apart. */
  valueOfPattern(node: ts.ObjectBindingPattern): GoogleValue | undefined {
    const { parent } = node;
    if (!ts.isBindingElement(parent)) return this.valueOfDeclaration(parent);
    const type = this.checker.getTypeAtLocation(node);
    return (
      this.valueOfType(type) ?? (isAny(type) ? this.#bound(parent) : undefined)
    );
  }

  /** Returns the values that calls of the program pass for a parameter. */
  argumentsOf(node: ts.ParameterDeclaration): readonly ts.Expression[] {
    return this.#argumentsOf(node);
  }

  /** Returns the functions of the program that a call runs. */
  functionsOf({ expression }: ts.CallExpression | ts.NewExpression) {
    const symbol = this.#named(expression);
    return (symbol?.declarations ?? []).flatMap(functionIn);
  }

  /** Returns the functions that a call runs, also those that a parameter contains. */
  possibleFunctionsOf(call: ts.CallExpression) {
    const { expression } = call;
    const passed = ts.isIdentifier(expression)
      ? this.#declarationsOf(expression)
          .filter((one) => ts.isParameter(one))
          .flatMap((one) => this.#argumentsOf(one))
      : [];
    return [...this.functionsOf(call), ...passed.flatMap(functionIn)];
  }

  /** Returns the value of an expression without a type. */
  #origin(node: ts.Node): GoogleValue | undefined {
    if (isWrapper(node)) return this.valueOf(node.expression);
    if (ts.isAwaitExpression(node)) return this.valueOfAwaited(node.expression);
    if (ts.isIdentifier(node)) return this.#originOfName(node);
    if (ts.isPropertyAccessExpression(node)) {
      const owner = this.valueOf(node.expression);
      if (owner !== undefined)
        return owner.kind === "response"
          ? undefined
          : { ...owner, kind: "method" };
      return this.#first(this.#declarationsOf(node.name), (one) =>
        this.#property(one),
      );
    }
    if (!ts.isCallExpression(node)) return undefined;
    return this.#first(this.functionsOf(node), (one) =>
      this.#first(returnsOf(one), (value) => this.valueOf(value)),
    );
  }

  #originOfName(node: ts.Identifier): GoogleValue | undefined {
    return this.#first(this.#declarationsOf(node), (one) => {
      if (ts.isParameter(one)) return this.#parameter(one);
      if (ts.isBindingElement(one)) return this.#bound(one);
      if (!ts.isVariableDeclaration(one)) return undefined;
      return (
        (one.initializer && this.valueOf(one.initializer)) ??
        (ts.isForOfStatement(one.parent.parent)
          ? this.#element(one.parent.parent.expression)
          : undefined) ??
        this.#first(assignedTo(one), (value) => this.valueOf(value))
      );
    });
  }

  /** Returns the value of a property of an object or class of the program. */
  #property(node: ts.Declaration): GoogleValue | undefined {
    // `this.drive = drive` declares a property in JavaScript.
    if (ts.isBinaryExpression(node)) return this.valueOf(node.right);
    if (ts.isPropertyAccessExpression(node) && isAssigned(node))
      return this.valueOf(node.parent.right);
    if (ts.isShorthandPropertyAssignment(node)) return this.valueOf(node.name);
    if (ts.isParameter(node)) return this.#parameter(node);
    if (!ts.isPropertyAssignment(node) && !ts.isPropertyDeclaration(node))
      return undefined;
    return (
      (node.initializer && this.valueOf(node.initializer)) ??
      (ts.isPropertyDeclaration(node)
        ? this.#first(assignedTo(node), (value) => this.valueOf(value))
        : undefined)
    );
  }

  /** `{ drive }`, if the object has a literal. */
  #bound(node: ts.BindingElement): GoogleValue | undefined {
    const name = (node.propertyName ?? node.name).getText();
    const { parent } = node.parent;
    if (ts.isArrayBindingPattern(node.parent))
      return ts.isVariableDeclaration(parent) && parent.initializer
        ? this.#element(parent.initializer)
        : undefined;
    const sources = ts.isVariableDeclaration(parent)
      ? [parent.initializer]
      : ts.isParameter(parent)
        ? this.#argumentsOf(parent)
        : [];
    return this.#first(sources, (source) => {
      if (source === undefined) return undefined;
      const property = this.checker
        .getTypeAtLocation(source)
        .getProperty(name)?.valueDeclaration;
      return property && this.#property(property);
    });
  }

  /** Returns the value of a parameter: that of the arguments, or of a promise. */
  #parameter(node: ts.ParameterDeclaration): GoogleValue | undefined {
    const { parent: handler } = node;
    const call = handler.parent;
    if (ts.isCallExpression(call) && call.arguments[0] === handler) {
      const promise = receiverOf(call, /^then$/);
      if (promise !== undefined) return this.valueOfAwaited(promise);
      const list = handler.parameters[0] === node && receiverOf(call, EACH);
      if (list) return this.#element(list);
    }
    // Other objects with `data` must not lose it.
    const list = this.#argumentsOf(node);
    const values = list.map((one) => this.valueOf(one));
    const isMixed = list.some((one, index) => {
      const { flags } = this.checker.getTypeAtLocation(one);
      return values[index] === undefined && (flags & UNDECIDED) === 0;
    });
    return isMixed ? undefined : values.find((one) => one !== undefined);
  }

  #argumentsOf(node: ts.ParameterDeclaration): readonly ts.Expression[] {
    const { parent, initializer } = node;
    const index = parent.parameters.indexOf(node);
    const passed = this.#callsOf(parent).flatMap(
      (call) => call.arguments?.[index] ?? [],
    );
    return initializer === undefined ? passed : [...passed, initializer];
  }

  #awaitedOrigin(node: ts.Node): GoogleValue | undefined {
    if (isWrapper(node) || ts.isAwaitExpression(node))
      return this.valueOfAwaited(node.expression);
    if (ts.isIdentifier(node))
      return this.#first(this.#declarationsOf(node), (one) =>
        ts.isVariableDeclaration(one)
          ? this.#first(
              [
                ...(one.initializer ? [one.initializer] : []),
                ...assignedTo(one),
              ],
              (value) => this.valueOfAwaited(value),
            )
          : undefined,
      );
    if (!ts.isCallExpression(node)) return undefined;
    if (this.valueOf(node.expression)?.kind === "method")
      return { kind: "response", name: "", version: "" };
    const kept = receiverOf(node, /^(?:catch|finally)$/);
    if (kept !== undefined) return this.valueOfAwaited(kept);
    const [handler] = node.arguments;
    if (receiverOf(node, /^then$/) !== undefined && handler !== undefined)
      return this.#first(functionIn(handler).flatMap(returnsOf), (one) =>
        this.valueOfAwaited(one),
      );
    const called = this.functionsOf(node);
    // Functions of other packages return what their argument returns: `retry(() => …)`.
    if (called.length === 0)
      return this.#first(node.arguments, (one) =>
        ts.isArrayLiteralExpression(one)
          ? this.#awaitedElement(one)
          : this.#first(functionIn(one).flatMap(returnsOf), (value) =>
              this.valueOfAwaited(value),
            ),
      );
    return this.#first(called, (one) =>
      this.#first(returnsOf(one), (value) => this.#returned(one, value, node)),
    );
  }

  /** Returns the value that the elements of an array have. */
  #element(node: ts.Expression): GoogleValue | undefined {
    const list = withoutWrappers(node);
    if (ts.isIdentifier(list))
      return this.#first(this.#declarationsOf(list), (one) =>
        ts.isVariableDeclaration(one) && one.initializer !== undefined
          ? this.#element(one.initializer)
          : undefined,
      );
    if (!ts.isCallExpression(list)) return undefined;
    const filtered = receiverOf(list, /^(?:filter|slice)$/);
    if (filtered !== undefined) return this.#element(filtered);
    const [promises] = list.arguments;
    return list.expression.getText() === "Promise.all" && promises !== undefined
      ? this.#awaitedElement(promises)
      : undefined;
  }

  /** Returns the value of `await` of the elements of an array. */
  #awaitedElement(node: ts.Expression): GoogleValue | undefined {
    if (ts.isArrayLiteralExpression(node))
      return this.#first(node.elements, (one) => this.valueOfAwaited(one));
    if (ts.isIdentifier(node))
      return this.#first(this.#declarationsOf(node), (one) =>
        ts.isVariableDeclaration(one) && one.initializer !== undefined
          ? this.#awaitedElement(one.initializer)
          : undefined,
      );
    const [handler] = ts.isCallExpression(node) ? node.arguments : [];
    return ts.isCallExpression(node) &&
      handler !== undefined &&
      receiverOf(node, /^map$/) !== undefined
      ? this.#first(functionIn(handler).flatMap(returnsOf), (one) =>
          this.valueOfAwaited(one),
        )
      : undefined;
  }

  /** Returns the value that a function of the program returns for a call. */
  #returned(
    owner: FunctionNode,
    returned: ts.Expression,
    call: ts.CallExpression,
  ): GoogleValue | undefined {
    const found = this.valueOfAwaited(returned);
    if (found !== undefined) return found;
    // `return await run()`: a function that returns what an argument returns.
    const inner = withoutWrappers(returned);
    if (!ts.isCallExpression(inner)) return undefined;
    const index = owner.parameters.findIndex(
      ({ name }) => name.getText() === inner.expression.getText(),
    );
    const argument = call.arguments[index];
    return argument === undefined
      ? undefined
      : this.#first(functionIn(argument).flatMap(returnsOf), (one) =>
          this.valueOfAwaited(one),
        );
  }

  #callsOf(node: FunctionNode) {
    if (this.#calls === undefined) {
      this.#calls = new Map();
      for (const file of this.files) this.#indexCalls(file, this.#calls);
    }
    const symbol = this.#nameOf(node);
    return (symbol && this.#calls.get(symbol)) ?? [];
  }

  #indexCalls(node: ts.Node, calls: CallIndex): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const symbol = this.#named(node.expression);
      if (symbol !== undefined)
        calls.set(symbol, [...(calls.get(symbol) ?? []), node]);
    }
    ts.forEachChild(node, (child) => this.#indexCalls(child, calls));
  }

  /** Returns the symbol of a function or class by its name or variable. */
  #nameOf(node: FunctionNode): ts.Symbol | undefined {
    const named = ts.isConstructorDeclaration(node)
      ? node.parent.name
      : (node.name ??
        (ts.isVariableDeclaration(node.parent) ||
        ts.isPropertyAssignment(node.parent) ||
        ts.isPropertyDeclaration(node.parent)
          ? node.parent.name
          : undefined));
    return named && this.checker.getSymbolAtLocation(named);
  }

  #named(node: ts.Expression): ts.Symbol | undefined {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    const symbol = this.checker.getSymbolAtLocation(name);
    return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
      ? this.checker.getAliasedSymbol(symbol)
      : symbol;
  }

  #declarationsOf(
    node: ts.Identifier | ts.MemberName,
  ): readonly ts.Declaration[] {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    if (symbol === undefined) return [];
    const target =
      (symbol.flags & ts.SymbolFlags.Alias) === 0
        ? symbol
        : this.checker.getAliasedSymbol(symbol);
    return target.declarations ?? [];
  }

  #first<T>(
    list: readonly T[],
    find: (one: T) => GoogleValue | undefined,
  ): GoogleValue | undefined {
    for (const one of list) {
      const found = find(one);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Types of arguments that tell nothing about a parameter. */
const UNDECIDED = ts.TypeFlags.Any | ts.TypeFlags.Null | ts.TypeFlags.Undefined;

function isAny(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0;
}

/** Runs a function once for a node; a node that needs its own value has none. */
function once(
  found: Map<ts.Node, GoogleValue | null | undefined>,
  node: ts.Node,
  find: () => GoogleValue | undefined,
): GoogleValue | undefined {
  if (found.has(node)) return found.get(node) ?? undefined;
  found.set(node, null);
  const value = find();
  found.set(node, value);
  return value;
}

function isWrapper(
  node: ts.Node,
): node is ts.ParenthesizedExpression | ts.AsExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

function isAssigned(
  node: ts.Node,
): node is ts.Expression & { readonly parent: ts.BinaryExpression } {
  const parent = node.parent as ts.Node | undefined;
  return (
    parent !== undefined &&
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.left === node
  );
}

/** Returns the values that are assigned to a variable or a property of a class. */
function assignedTo(
  node: ts.VariableDeclaration | ts.PropertyDeclaration,
): readonly ts.Expression[] {
  const name = node.name.getText();
  const target = ts.isVariableDeclaration(node) ? name : `this.${name}`;
  const values: ts.Expression[] = [];
  const visit = (one: ts.Node): void => {
    if (isAssigned(one) && one.getText() === target)
      values.push(one.parent.right);
    ts.forEachChild(one, visit);
  };
  const scope = ts.findAncestor(
    node.parent,
    (one) => ts.isBlock(one) || ts.isSourceFile(one) || ts.isClassLike(one),
  );
  if (scope !== undefined) visit(scope);
  return values;
}

/** Methods of arrays whose function has an element as first parameter. */
const EACH = /^(?:map|flatMap|forEach|filter|find|some|every)$/;

/** Returns the object of a call of a method: `promise` of `promise.then(…)`. */
function receiverOf(
  { expression }: ts.CallExpression,
  method: RegExp,
): ts.Expression | undefined {
  return ts.isPropertyAccessExpression(expression) &&
    method.test(expression.name.text)
    ? expression.expression
    : undefined;
}

/** Returns the function that a node is or declares. */
function functionIn(node: ts.Node): readonly FunctionNode[] {
  if (
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node)
  )
    return node.initializer === undefined ? [] : functionIn(node.initializer);
  return ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
    ? [node]
    : [];
}

/** Returns the expressions that a function returns. */
export function returnsOf({ body }: FunctionNode): readonly ts.Expression[] {
  if (body === undefined) return [];
  if (!ts.isBlock(body)) return [body as ts.Expression];
  const values: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression !== undefined)
      values.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return values;
}
