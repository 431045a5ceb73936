import path from "node:path";
import { ts } from "ts-morph";
import { toPosix } from "../platform/paths.js";
import type { FileEditor } from "./file-editor.js";
import type { GoogleValue, GoogleValues } from "./google-values.js";
import { visitAll, withoutWrappers } from "./syntax.js";
import type { FindApi, GeneratedApi } from "./types.js";

/** Library with options for all of its clients. */
type Library = "googleapis" | "gapi";

/** Settings of a migration. */
export interface MigrateSettings {
  readonly findApi: FindApi;
  /** True to import credentials from google-auth-library. */
  readonly keepAuth: boolean;
  /** Output folder of the config, for credentials. */
  readonly runtime: () => Pick<GeneratedApi, "runtime" | "suffix">;
}

/** File that is migrated, with queries about its names and types. */
export class MigrationContext {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /** Names of imports whose use was replaced. */
  readonly handled = new Set<ts.Node>();
  readonly #references = new Map<ts.Symbol, ts.Identifier[]>();
  readonly #names = new Set<string>();

  constructor(
    readonly editor: FileEditor,
    readonly values: GoogleValues,
    readonly settings: MigrateSettings,
    /** Number of files of the run that use a library. */
    readonly users: Readonly<Record<Library, number>>,
    /** Calls of all files whose result is the response, not only its value. */
    readonly full: Set<ts.CallExpression>,
  ) {
    this.file = editor.file;
    this.checker = values.checker;
    visitAll(this.file, (node) => {
      if (!ts.isIdentifier(node)) return;
      const symbol = this.symbolOf(node);
      if (isBound(node)) this.#names.add(node.text);
      if (symbol === undefined) return;
      const list = this.#references.get(symbol);
      if (list === undefined) this.#references.set(symbol, [node]);
      else list.push(node);
    });
  }

  /** Marks a call that sets options of the clients of all files. */
  todoOtherFiles(call: ts.Node, library: Library): void {
    if (this.users[library] > 1)
      this.editor.todo(
        call,
        "clients of other files do not receive these options: pass them to each client",
      );
  }

  /** Returns the value of googleapis that an expression has. */
  valueOf(node: ts.Node): GoogleValue | undefined {
    return this.values.valueOf(node) ?? this.#valueOfAnnotated(node);
  }

  /** `const res: { data: T } = await call` is a response too. */
  #valueOfAnnotated(node: ts.Node): GoogleValue | undefined {
    if (!ts.isIdentifier(node)) return undefined;
    const declaration = this.declarationOf(node);
    return declaration !== undefined &&
      ts.isVariableDeclaration(declaration) &&
      dataAnnotation(declaration) !== undefined
      ? this.valueOf(declaration.initializer!)
      : undefined;
  }

  valueOfType(type: ts.Type): GoogleValue | undefined {
    return this.values.valueOfType(type);
  }

  /** Returns the variable, parameter or import that a name refers to. */
  symbolOf(node: ts.Identifier): ts.Symbol | undefined {
    return ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
  }

  /** Returns the names in this file that refer to the same variable. */
  referencesOf(node: ts.Identifier): readonly ts.Identifier[] {
    const symbol = this.symbolOf(node);
    return symbol === undefined ? [] : (this.#references.get(symbol) ?? []);
  }

  /** Returns the declaration of a variable or parameter. */
  declarationOf(node: ts.Identifier): ts.Declaration | undefined {
    return this.symbolOf(node)?.declarations?.[0];
  }

  /** Returns an object literal, also that of a constant of this file. */
  literalOf(
    node: ts.Expression | undefined,
  ): ts.ObjectLiteralExpression | undefined {
    if (node === undefined) return undefined;
    const plain = withoutWrappers(node);
    if (ts.isObjectLiteralExpression(plain)) return plain;
    if (!ts.isIdentifier(plain)) return undefined;
    const declaration = this.declarationOf(plain);
    return declaration !== undefined &&
      declaration.getSourceFile() === this.file &&
      ts.isVariableDeclaration(declaration)
      ? this.literalOf(declaration.initializer)
      : undefined;
  }

  /** Tests whether the file declares a name. */
  declares(name: string): boolean {
    return this.#names.has(name);
  }

  /** Imports a name of generated code, under another name if the file has one. */
  importGenerated(
    api: GeneratedApi,
    name: string,
    {
      file = `index`,
      isType = false,
    }: { file?: string; isType?: boolean } = {},
  ): string {
    const local = this.#names.has(name) ? `${name}Of${api.title}` : name;
    const alias = local === name ? name : `${name} as ${local}`;
    this.editor.import(
      this.modulePath(path.join(api.folder, `${file}${api.suffix}`)),
      isType ? `type ${alias}` : alias,
    );
    return local;
  }

  /** Returns the specifier of a module relative to this file. */
  modulePath(target: string): string {
    const relative = toPosix(
      path.relative(path.dirname(this.file.fileName), target),
    );
    return relative.startsWith(".") ? relative : `./${relative}`;
  }
}

/** Returns the type of `data` in a declaration of the form `res: { data: T } = …`. */
export function dataAnnotation({
  type,
  initializer,
}: ts.VariableDeclaration): ts.TypeNode | undefined {
  if (initializer === undefined || type === undefined) return undefined;
  const [member, ...others] = ts.isTypeLiteralNode(type) ? type.members : [];
  return member !== undefined &&
    others.length === 0 &&
    ts.isPropertySignature(member) &&
    member.name.getText() === "data"
    ? member.type
    : undefined;
}

/** Tests whether an identifier is the name of a variable, type or import. */
function isBound(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isBindingElement(parent) ||
      ts.isImportSpecifier(parent) ||
      ts.isImportClause(parent)) &&
    parent.name === node
  );
}
