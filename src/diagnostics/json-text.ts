import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser";
import { pointerOf, tokensOf } from "./types.js";

/** First syntax error in a JSON text. */
export interface JsonSyntaxError {
  readonly offset: number;
  readonly message: string;
}

/** Messages for error codes of jsonc-parser; others are reported by name. */
const MESSAGES: Readonly<Record<string, string>> = {
  PropertyNameExpected: "expected a key in double quotes",
  ColonExpected: 'expected ":" after the key',
  CommaExpected: 'expected ","',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "unexpected text after the end of the document",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "unterminated string",
  UnexpectedEndOfNumber: "incomplete number",
  InvalidUnicode: "invalid escape in a string",
  InvalidEscapeCharacter: "invalid escape in a string",
  InvalidCharacter: "control character in a string",
};

/** Returns the first error in a text that JSON.parse does not accept. */
export function syntaxErrorIn(text: string): JsonSyntaxError {
  let error: JsonSyntaxError | undefined;
  const isComplete = walk(text, {
    onError: (code, offset) => {
      error ??= { offset, message: messageOf(code, text, offset) };
    },
  });
  const message = isComplete ? "syntax error" : "too many levels of nesting";
  return error ?? { offset: 0, message };
}

function messageOf(code: number, text: string, offset: number): string {
  const character = text[offset];
  if (character === undefined) return "unexpected end of the text";
  const before = text.slice(0, offset).trimEnd();
  if (/[\]}]/.test(character) && before.endsWith(",")) return "trailing comma";
  return (
    MESSAGES[printParseErrorCode(code)] ??
    `unexpected ${JSON.stringify(character)}`
  );
}

/**
 * Returns the keys that occur more than once in an object, with the offset of
 * each repeated key.
 */
export function duplicateKeys(
  text: string,
): [pointer: string, offset: number][] {
  const duplicates: [string, number][] = [];
  const objects: Set<string>[] = [];
  walk(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      const keys = objects.at(-1)!;
      if (keys.has(key)) duplicates.push([pointerOf([...path(), key]), offset]);
      keys.add(key);
    },
  });
  return duplicates;
}

/**
 * Returns the offset of the key or element at each pointer, in one scan. For a
 * pointer to a missing value, returns the offset of its nearest ancestor.
 */
export function findOffsets(
  text: string,
  pointers: Iterable<string>,
): Map<string, number> {
  const parents = new Map([...pointers].map((at) => [at, parentsOf(at)]));
  const wanted = new Set([...parents.values()].flat());
  const offsets = new Map<string, number>();
  // Members of values on the path to no pointer are skipped.
  const enter: NonNullable<JSONVisitor["onObjectBegin"]> = (
    offset,
    _length,
    _line,
    _column,
    path,
  ) => {
    const tokens = path();
    const pointer = pointerOf(tokens);
    if (!wanted.has(pointer)) return false;
    if (typeof tokens.at(-1) !== "string") offsets.set(pointer, offset);
    return true;
  };
  walk(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: () => {},
    onArrayEnd: () => {},
    onLiteralValue: (_value, ...at) => void enter(...at),
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      const pointer = pointerOf([...path(), key]);
      if (wanted.has(pointer)) offsets.set(pointer, offset);
    },
  });
  return new Map(
    [...parents].map(([pointer, chain]) => [
      pointer,
      Math.max(...chain.map((at) => offsets.get(at) ?? 0)),
    ]),
  );
}

/** Returns the pointers of a value's ancestors, from the root, and its own. */
function parentsOf(pointer: string): string[] {
  const tokens = tokensOf(pointer);
  return [
    "",
    ...tokens.map((_, index) => pointerOf(tokens.slice(0, index + 1))),
  ];
}

/**
 * Scans a text. The scanner is recursive: returns false if the text is nested too
 * deeply for the call stack, and ignores the rest of such a text.
 */
function walk(text: string, visitor: JSONVisitor): boolean {
  try {
    visit(text, visitor, { disallowComments: true });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
