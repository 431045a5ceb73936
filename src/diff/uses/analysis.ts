import path from "node:path";
import { ts } from "ts-morph";
import { toPosix } from "../../platform/paths.js";
import type { Side } from "../side.js";
import { newErrors, type CompileError } from "./compile-errors.js";
import { compilerPath, ElementIndex, type Element } from "./elements.js";
import { findUses } from "./find-uses.js";
import type { Printer } from "./generated-code.js";
import type { Overlay } from "./overlay.js";
import { importedOutputs, listUserFiles, openProgram } from "./program.js";
import type { UsePosition, UserCode } from "./types.js";

/** Use of a part of a document, with its position. */
export interface LocatedUse {
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly kind: "name" | "create" | "complete" | "import";
  /** Kind of the declaration that the code refers to. */
  readonly part: Element["kind"] | "module";
  /** Enum value, or `fields ` and the name of a selected field. */
  readonly value?: string;
  readonly at: UsePosition;
}

/** Error that the compiler finds with the code of the new documents. */
export interface LocatedError {
  readonly at: UsePosition;
  readonly message: string;
  /** Tests whether code that can contain the cause contains a position. */
  readonly causes: readonly ((position: UsePosition) => boolean)[];
}

/** Uses of APIs, keyed by `name:version`. */
export interface Analysis {
  /** Errors of the compiler with the code of the new documents. */
  readonly errors: readonly LocatedError[];
  readonly uses: ReadonlyMap<string, readonly LocatedUse[]>;
  /** Number of files that match the globs. */
  readonly files: number;
}

/**
 * Determines which parts of documents the user's code uses. The code is read
 * with the code that is generated from these documents instead of the output
 * folders, so the state of these folders does not matter.
 * @param next new documents, keyed by old document, to find what no longer
 * compiles; undefined for APIs that were removed
 */
export function analyse(
  sides: readonly Side[],
  code: UserCode,
  printer: Printer,
  next?: ReadonlyMap<Side, Side | undefined>,
): Analysis {
  const uses = new Map<string, LocatedUse[]>();
  const errors: LocatedError[] = [];
  const groups = listUserFiles(code.patterns, code.cwd);
  for (const group of groups) {
    const outputs = outputsOf(sides, code, () =>
      importedOutputs(openProgram(group, [], code.cwd)),
    );
    const overlays = overlaysOf(outputs, printer);
    const program = openProgram(group, overlays, code.cwd);
    const index = new ElementIndex();
    for (const { side, out } of outputs)
      index.add(side, (name) =>
        program.getSourceFile(compilerPath(out, side.names.folder, name)),
      );
    const own = group.files.flatMap((name) => {
      const file = program.getSourceFile(name);
      return file === undefined ? [] : [file];
    });
    for (const { side, node, ...use } of findUses(
      own,
      program.getTypeChecker(),
      index,
    ))
      add(uses, side, {
        ...use,
        at: positionOf(node, code.cwd, use.kind === "complete"),
      });
    if (next !== undefined) {
      const now = openProgram(
        group,
        overlaysOf(outputs, printer, (side) => next.get(side)),
        code.cwd,
      );
      errors.push(
        ...newErrors(group.files, program, now).map((error) =>
          locateError(error, program, code.cwd),
        ),
      );
    }
    for (const { side, node } of importsOf(own, outputs, program))
      add(uses, side, {
        pointer: "",
        kind: "import",
        part: "module",
        at: positionOf(node, code.cwd, false),
      });
  }
  return { uses, errors, files: groups.flatMap(({ files }) => files).length };
}

/** API whose generated code is in an output folder. */
interface Output {
  readonly side: Side;
  /** Absolute path of the output folder. */
  readonly out: string;
}

function outputsOf(
  sides: readonly Side[],
  { cwd, outputs }: UserCode,
  findOutputs: () => readonly string[],
): readonly Output[] {
  let found: readonly string[] | undefined;
  return sides.flatMap((side) => {
    const id = `${side.api.name}:${side.api.version}`;
    const configured = outputs.filter(({ api }) => api === id);
    const folders =
      configured.length === 0
        ? (found ??= findOutputs())
        : configured.map(({ out }) => path.resolve(cwd, out));
    return folders.map((out) => ({ side, out: toPosix(out) }));
  });
}

/**
 * Returns the generated code of output folders.
 * @param documentOf returns the document whose code replaces that of an API;
 * undefined if the API was removed
 */
function overlaysOf(
  outputs: readonly Output[],
  printer: Printer,
  documentOf = (side: Side): Side | undefined => side,
): Overlay[] {
  const printed = new Map<Side, ReadonlyMap<string, string>>();
  return [
    ...outputs.map(({ side, out }) => ({
      folder: compilerPath(out, side.names.folder),
      files: () => {
        const now = documentOf(side);
        if (now === undefined) return new Map();
        const files = printed.get(now) ?? filesOf(now, printer);
        printed.set(now, files);
        return files;
      },
    })),
    ...[...new Set(outputs.map(({ out }) => out))].map((out) => ({
      folder: compilerPath(out, "runtime"),
      files: () => printer.runtime,
    })),
  ];
}

/** Returns the files of an API, keyed by path relative to its folder. */
function filesOf(side: Side, printer: Printer): ReadonlyMap<string, string> {
  const prefix = `${side.names.folder}/`;
  return new Map(
    [...printer.filesOf(side)].map(([name, text]) => [
      name.slice(prefix.length),
      text,
    ]),
  );
}

function locateError(
  { file, start, message, causes }: CompileError,
  program: ts.Program,
  cwd: string,
): LocatedError {
  const offsetOf = ({ file: name, line, column }: UsePosition) => {
    const source = program.getSourceFile(toPosix(path.resolve(cwd, name)));
    return source === undefined
      ? undefined
      : {
          source,
          offset: source.getPositionOfLineAndCharacter(line - 1, column - 1),
        };
  };
  return {
    at: positionAt(file, start, cwd),
    message,
    causes: causes.map((span) => (position) => {
      const found = offsetOf(position);
      return (
        found?.source.fileName === span.file &&
        found.offset >= span.start &&
        found.offset < span.end
      );
    }),
  };
}

function add(
  uses: Map<string, LocatedUse[]>,
  { api }: Side,
  use: LocatedUse,
): void {
  const id = `${api.name}:${api.version}`;
  const list = uses.get(id);
  if (list === undefined) uses.set(id, [use]);
  else list.push(use);
}

/** Returns the imports of generated code. */
function importsOf(
  files: readonly ts.SourceFile[],
  outputs: readonly Output[],
  program: ts.Program,
): { readonly side: Side; readonly node: ts.Node }[] {
  const checker = program.getTypeChecker();
  return files.flatMap((file) =>
    moduleNames(file).flatMap((node) => {
      const target = checker
        .getSymbolAtLocation(node)
        ?.declarations?.find(ts.isSourceFile)?.fileName;
      return outputs
        .filter(
          ({ side, out }) =>
            target?.startsWith(`${compilerPath(out, side.names.folder)}/`) ===
            true,
        )
        .map(({ side }) => ({ side, node }));
    }),
  );
}

/** Returns the names of modules in imports, exports and `import()`. */
function moduleNames(file: ts.SourceFile): ts.Node[] {
  const names: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    )
      names.push(node.moduleSpecifier);
    else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] !== undefined
    )
      names.push(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

function positionOf(
  node: ts.Node,
  cwd: string,
  isUndecided: boolean,
): UsePosition {
  const at = positionAt(node.getSourceFile(), node.getStart(), cwd);
  return isUndecided ? { ...at, undecided: true } : at;
}

function positionAt(
  file: ts.SourceFile,
  offset: number,
  cwd: string,
): UsePosition {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return {
    file: toPosix(path.relative(cwd, file.fileName)),
    line: line + 1,
    column: character + 1,
  };
}
