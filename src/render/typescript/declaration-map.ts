// Source maps of declaration files (`.d.ts.map`). With such a map, "Go to
// Definition" in an editor leads to the JavaScript file instead of the
// declaration file. Only the names of exported values are mapped, because types
// exist only in the declarations.

import type { OutputFile } from "../../platform/output-file.js";

/**
 * Position of an exported name in a file. Line and column numbers start at 0.
 */
interface NamePosition {
  readonly name: string;
  readonly line: number;
  readonly start: number;
}

/**
 * Pattern that matches an exported value in a declaration file, up to the end
 * of its name.
 */
const DECLARATION =
  /^export declare (?:abstract )?(?:const|function|class|let) ([\w$\u0080-\uffff]+)/gm;

/**
 * Pattern that matches an exported value in a JavaScript file, up to the end of
 * its name.
 */
const VALUE =
  /^export (?:async )?(?:const|function\*?|class|let) ([\w$\u0080-\uffff]+)/gm;

/**
 * Inserts a source map after each declaration file whose JavaScript file
 * exports values. Returns all files.
 */
export function withDeclarationMaps(
  files: readonly OutputFile[],
): OutputFile[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return files.flatMap((file) => {
    if (!file.path.endsWith(".d.ts")) return [file];
    const base = file.path.slice(0, -".d.ts".length);
    const mappings = mappingsOf(file.text, texts.get(`${base}.js`) ?? "");
    if (mappings === "") return [file];
    const name = base.slice(base.lastIndexOf("/") + 1);
    const map = {
      version: 3,
      file: `${name}.d.ts`,
      sources: [`${name}.js`],
      names: [],
      mappings,
    };
    const link = `//# sourceMappingURL=${name}.d.ts.map\n`;
    return [
      { path: file.path, text: `${file.text}${link}` },
      { path: `${file.path}.map`, text: `${JSON.stringify(map)}\n` },
    ];
  });
}

/**
 * Returns the mappings of the exported names. TypeScript applies a mapping to
 * all unmapped positions before it. Therefore, each line with a name begins
 * with a segment without a source, so that no other position is mapped to the
 * name.
 */
function mappingsOf(declarations: string, code: string): string {
  const values = new Map(
    positions(code, VALUE).map((position) => [position.name, position]),
  );
  let text = "";
  let line = 0;
  let source = { line: 0, column: 0 };
  for (const { name, line: target, start } of positions(
    declarations,
    DECLARATION,
  )) {
    const value = values.get(name);
    if (value === undefined) continue;
    const end = { line: value.line, column: value.start + name.length };
    text += ";".repeat(target - line);
    text += "A"; // column 0, no source
    text += `,${digits(start)}A${digits(value.line - source.line)}${digits(value.start - source.column)}`;
    text += `,${digits(name.length)}AA${digits(name.length)}`;
    line = target;
    source = end;
  }
  return text;
}

/** Returns the positions of the names that a pattern captures. */
function positions(text: string, pattern: RegExp): NamePosition[] {
  const found: NamePosition[] = [];
  let line = 0;
  let counted = 0;
  for (const match of text.matchAll(pattern)) {
    const { index } = match;
    const name = match[1]!;
    while ((counted = text.indexOf("\n", counted)) !== -1 && counted < index) {
      line++;
      counted++;
    }
    counted = index;
    found.push({ name, line, start: match[0].length - name.length });
  }
  return found;
}

const BASE64 =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes a number as a base64 VLQ (source map format, revision 3). */
function digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += BASE64[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}
