import { ts } from "ts-morph";
import { importedModule } from "./auth.js";
import { handle } from "./clients.js";
import type { MigrationContext } from "./context.js";
import { visitAll } from "./syntax.js";
import { isGoogleModule } from "./google-declarations.js";

/** Removes imports of googleapis whose names are no longer used. */
export function migrateImports(context: MigrationContext): void {
  const { editor } = context;
  const statements: ts.Statement[] = [];
  visitAll(context.file, (node) => {
    if (ts.isStatement(node)) statements.push(node);
  });
  // The last statement comes first: its names may come from those of the others.
  for (const statement of statements.reverse()) {
    const names = namesOf(context, statement);
    if (names === undefined) continue;
    const used = names.filter((name) =>
      context
        .referencesOf(name)
        .some(
          (one) =>
            one !== name &&
            !isDeclared(one, statement) &&
            !context.handled.has(one),
        ),
    );
    if (used.length === 0) {
      removeStatement(context, statement);
      handle(context, statement);
    } else {
      removeNames(context, statement, used);
      for (const name of used)
        editor.todo(statement, `${name.text} of googleapis is still used`);
    }
  }
}

/** Returns the names that a statement imports from googleapis. */
function namesOf(
  context: MigrationContext,
  statement: ts.Statement,
): readonly ts.Identifier[] | undefined {
  if (ts.isImportDeclaration(statement)) {
    if (!isGoogleModule((statement.moduleSpecifier as ts.StringLiteral).text))
      return undefined;
    const names: ts.Identifier[] = [];
    const clause = statement.importClause;
    if (clause?.name !== undefined) names.push(clause.name);
    const bindings = clause?.namedBindings;
    if (bindings !== undefined && ts.isNamespaceImport(bindings))
      names.push(bindings.name);
    else for (const one of bindings?.elements ?? []) names.push(one.name);
    return names;
  }
  // `import googleapis = require("googleapis");`
  if (ts.isImportEqualsDeclaration(statement)) {
    const { moduleReference, name } = statement;
    return ts.isExternalModuleReference(moduleReference) &&
      ts.isStringLiteral(moduleReference.expression) &&
      isGoogleModule(moduleReference.expression.text)
      ? [name]
      : undefined;
  }
  if (!ts.isVariableStatement(statement)) return undefined;
  const [declaration, ...others] = statement.declarationList.declarations;
  if (declaration?.initializer === undefined || others.length > 0)
    return undefined;
  if (!isGoogleModule(importedModule(context, declaration))) return undefined;
  const names: ts.Identifier[] = [];
  visitAll(declaration.name, (node) => {
    if (
      ts.isIdentifier(node) &&
      !(ts.isBindingElement(node.parent) && node.parent.propertyName === node)
    )
      names.push(node);
  });
  return names;
}

function isDeclared(node: ts.Node, statement: ts.Statement): boolean {
  return node.pos >= statement.pos && node.end <= statement.end;
}

function removeStatement(
  { editor, file }: MigrationContext,
  statement: ts.Statement,
): void {
  const rest = /^[ \t]*\r?\n/.exec(file.text.slice(statement.end));
  editor.edit(
    statement.getStart(),
    statement.end + (rest?.[0].length ?? 0),
    "",
  );
}

function removeNames(
  { editor }: MigrationContext,
  statement: ts.Statement,
  used: readonly ts.Identifier[],
): void {
  const bindings =
    ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return;
  editor.removeFrom(
    bindings.elements,
    bindings.elements.filter((one) => !used.includes(one.name)),
  );
}
