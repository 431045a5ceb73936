import { ts } from "ts-morph";
import type { MigratedFile, Todo } from "./types.js";

/** Prints a range of the file with the edits in this range. */
type Print = (start: number, end: number) => string;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string | ((print: Print) => string);
}

/** Collects the edits of a file. Text outside of edits stays unchanged. */
export class FileEditor {
  readonly #edits: Edit[] = [];
  readonly #todos: (Todo & { readonly at: number })[] = [];
  /** Names to import, keyed by path of the module. */
  readonly #imports = new Map<string, Set<string>>();
  /** Imports of types that imports of values replace. */
  readonly #removed = new Set<ts.ImportSpecifier>();
  #importsAt = 0;
  /** True if imports follow a directive such as `"use strict"`. */
  readonly #hasDirective: boolean;

  readonly #declarations: string[] = [];
  readonly #hasCrLf: boolean;

  /** @param text text of the file on disk, with the positions of `file` */
  constructor(
    readonly file: ts.SourceFile,
    readonly text: string,
  ) {
    this.#hasCrLf = text.includes("\r\n");
    const directives = file.statements.filter(
      (one) =>
        ts.isExpressionStatement(one) && ts.isStringLiteral(one.expression),
    );
    this.#hasDirective = directives.length > 0;
    this.#importsAt =
      directives.at(-1)?.end ?? file.statements[0]?.getStart() ?? 0;
  }

  replace(node: ts.Node, text: Edit["text"]): void {
    this.edit(node.getStart(), node.getEnd(), text);
  }

  edit(start: number, end: number, text: Edit["text"]): void {
    this.#edits.push({ start, end, text });
  }

  /** Removes an element of a list together with its separator. */
  removeFrom<T extends ts.Node>(
    list: ts.NodeArray<T>,
    removed: readonly T[],
  ): void {
    const kept = list.filter((one) => !removed.includes(one));
    if (kept.length === 0 && removed.length > 0) {
      this.edit(list.pos, list.end, "");
      const { text } = this;
      const space = /^\s*/.exec(text.slice(list.end))![0].length;
      if (text[list.end + space] === "}")
        this.edit(list.end, list.end + space, "");
      return;
    }
    for (const node of removed) {
      const index = list.indexOf(node);
      const next = list[index + 1];
      const previous = list
        .slice(0, index)
        .filter((one) => kept.includes(one))
        .at(-1);
      if (next !== undefined) this.edit(node.getStart(), next.getStart(), "");
      else
        this.edit(
          previous?.end ?? node.getStart(),
          list.hasTrailingComma === true && previous === undefined
            ? list.end
            : node.end,
          "",
        );
    }
  }

  /** Adds a comment before the statement of a node, and an entry of the report. */
  todo(node: ts.Node, message: string): void {
    const { line, character } = this.file.getLineAndCharacterOfPosition(
      node.getStart(),
    );
    const statement = ts.findAncestor(
      node,
      (one) =>
        (ts.isStatement(one) && !ts.isBlock(one)) || ts.isClassElement(one),
    );
    const at = (statement ?? node).getStart();
    const todo = { line: line + 1, column: character + 1, message, at };
    if (!this.#todos.some((one) => one.at === at && one.message === message))
      this.#todos.push(todo);
  }

  /** Imports a name, and returns it. A value replaces the import of its type. */
  import(module: string, name: string): string {
    const found = this.#imported(module, name.replace(/^type /, ""));
    if (found !== undefined) {
      const isOnlyType =
        found.isTypeOnly || found.parent.parent.isTypeOnly === true;
      if (name.startsWith("type ") || !isOnlyType) return name;
      this.#removed.add(found);
    }
    const names = this.#imports.get(module) ?? new Set();
    this.#imports.set(module, names);
    // The import of a value also imports its type.
    if (!names.has(name.replace(/^type /, ""))) names.add(name);
    names.delete(`type ${name}`);
    return name;
  }

  /** Adds a statement after the imports. */
  declare(statement: string): void {
    this.#declarations.push(statement);
  }

  /** Returns the import of a name in the file. */
  #imported(module: string, name: string): ts.ImportSpecifier | undefined {
    for (const statement of this.file.statements) {
      const bindings =
        ts.isImportDeclaration(statement) &&
        (statement.moduleSpecifier as ts.StringLiteral).text === module
          ? statement.importClause?.namedBindings
          : undefined;
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
      const found = bindings.elements.find((one) => one.name.text === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Removes imports of types whose values are imported now. */
  #removeImports(): void {
    for (const list of new Set([...this.#removed].map((one) => one.parent))) {
      const removed = list.elements.filter((one) => this.#removed.has(one));
      const { parent: clause } = list;
      if (removed.length < list.elements.length || clause.name !== undefined)
        this.removeFrom(list.elements, removed);
      else {
        const { end } = clause.parent;
        const rest = /^[ \t]*\r?\n/.exec(this.text.slice(end));
        this.edit(clause.parent.getStart(), end + (rest?.[0].length ?? 0), "");
      }
    }
  }

  /** Number of edits and comments. */
  get size(): number {
    return this.#edits.length + this.#todos.length;
  }

  /** Returns the changes; the file stays unchanged if the result does not parse. */
  finish(name: string): MigratedFile {
    const before = this.text;
    this.#removeImports();
    const { todos, edits } = { todos: this.#todos, edits: [...this.#edits] };
    const added = todos.filter(
      ({ at, message }) => !isMarked(before, at, message),
    );
    for (const { at, message } of added)
      this.edit(
        at,
        at,
        `// TODO(gen migrate): ${message}\n${indentOf(before, at)}`,
      );
    if (this.#imports.size > 0) {
      const text = [...this.#imports].map(([module, names]) =>
        this.#importOf(module, [...names].sort()),
      );
      const last = this.file.statements
        .filter((one) => ts.isImportDeclaration(one))
        .at(-1);
      if (this.#declarations.length > 0) {
        const lines = ["", ...this.#declarations];
        if (last === undefined) text.push(...lines, "");
        else this.edit(last.end, last.end, `\n${lines.join("\n")}`);
      }
      this.edit(
        this.#importsAt,
        this.#importsAt,
        this.#hasDirective ? `\n${text.join("\n")}` : `${text.join("\n")}\n`,
      );
    }
    const after = this.#print(0, before.length);
    const report = [...todos]
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ line, column, message }): Todo => ({ line, column, message }));
    const parsed = ts.createSourceFile(
      this.file.fileName,
      after,
      this.file.languageVersion,
    );
    const count = edits.length + added.length;
    if (!hasSyntaxErrors(parsed) && !hasSyntaxErrors(this.file))
      return { file: name, edits: count, todo: report, before, after };
    const message = hasSyntaxErrors(this.file)
      ? "the file has syntax errors, so it stays unchanged"
      : "the migrated file would not parse, so it stays unchanged";
    return {
      file: name,
      edits: 0,
      todo: [{ line: 1, column: 1, message }, ...report],
      before,
      after: before,
    };
  }

  #importOf(module: string, names: readonly string[]): string {
    const list = names.join(", ");
    if (this.isCommonJs && !list.startsWith("type "))
      return `const { ${list.replaceAll(" as ", ": ")} } = require(${JSON.stringify(module)});`;
    return `import { ${list} } from ${JSON.stringify(module)};`;
  }

  /** True for files that load modules with `require`. */
  get isCommonJs(): boolean {
    if (this.file.fileName.endsWith(".cjs")) return true;
    return (
      this.file.fileName.endsWith(".js") &&
      !this.file.statements.some(
        (one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one),
      ) &&
      /\brequire\(/.test(this.text)
    );
  }

  #print(start: number, end: number, within?: Edit): string {
    const edits = this.#edits
      .filter(
        (one) =>
          one !== within &&
          one.start >= start &&
          one.end <= end &&
          !(
            within !== undefined &&
            one.start <= within.start &&
            one.end >= within.end
          ),
      )
      .sort((a, b) => a.start - b.start || b.end - a.end);
    let text = "";
    let at = start;
    // Insertions at the start of a replaced range come first.
    const ordered = edits.sort((a, b) =>
      a.start !== b.start
        ? a.start - b.start
        : Number(a.end > a.start) - Number(b.end > b.start) || b.end - a.end,
    );
    for (const edit of ordered) {
      if (edit.start < at) continue;
      text += this.text.slice(at, edit.start);
      const added =
        typeof edit.text === "string"
          ? edit.text
          : edit.text((from, to) => this.#print(from, to, edit));
      text += this.#hasCrLf ? added.replace(/\r?\n/g, "\r\n") : added;
      at = Math.max(at, edit.end);
    }
    return text + this.text.slice(at, end);
  }
}

function hasSyntaxErrors(file: ts.SourceFile): boolean {
  const { parseDiagnostics } = file as ts.SourceFile & {
    readonly parseDiagnostics: readonly ts.Diagnostic[];
  };
  return parseDiagnostics.length > 0;
}

/** Tests whether an earlier run has put the comment before a statement. */
function isMarked(text: string, at: number, message: string): boolean {
  let end = text.lastIndexOf("\n", at - 1);
  while (end >= 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line === `// TODO(gen migrate): ${message}`) return true;
    if (!line.startsWith("//") || start === 0) return false;
    end = start - 1;
  }
  return false;
}

function indentOf(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))![0];
}
