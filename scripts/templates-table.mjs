// Prints the table of templates and their views for docs/templates.md.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "ts6";

/** Returns a row for each template: its name, its view and the view's members. */
export function templatesTable(root) {
  const folder = path.join(root, "templates");
  const names = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => name.endsWith(".hbs"))
    .sort();
  const rows = names.map((name) => {
    const [line] = readFileSync(path.join(folder, name), "utf8").split("\n");
    const [, type, file] = /view: (\w+) \((\S+)\)/.exec(line) ?? [];
    if (type === undefined)
      throw new Error(`${name}: the first line names no view`);
    const members = membersOf(path.join(root, file), type);
    return `| \`${name.slice(0, -4)}\` | \`${type}\` in \`${file}\` | ${members
      .map((member) => `\`${member}\``)
      .join(", ")} |`;
  });
  return ["| template | view | members |", "| --- | --- | --- |", ...rows].join(
    "\n",
  );
}

/**
 * Returns the members of an interface. A member whose type is declared in
 * another file is listed by the name of its type.
 */
function membersOf(file, name) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
  );
  return collect(source, name);
}

function collect(source, name) {
  const declaration = source.statements.find(
    (statement) =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (declaration === undefined) return [];
  const bases = (declaration.heritageClauses ?? [])
    .flatMap(({ types }) => [...types])
    .map(({ expression }) => expression.text);
  return [
    ...bases.flatMap((base) => {
      const members = collect(source, base);
      return members.length > 0 ? members : [`...${base}`];
    }),
    ...declaration.members
      .filter(
        (member) =>
          ts.isPropertySignature(member) && ts.isIdentifier(member.name),
      )
      .map((member) => member.name.text),
  ];
}
