import type { Code } from "../../src/diagnostics/catalogue.js";

/** Text that can't be parsed, and the reported position. */
export interface TextCase {
  readonly name: string;
  readonly code: Code;
  readonly text: string | Buffer;
  /** `line:column`; absent without a position. */
  readonly place?: string;
  readonly message: string;
}

const syntax = (
  name: string,
  text: string,
  place: string,
  message: string,
): TextCase => ({ name, code: "json-syntax", text, place, message });

const whole = (
  name: string,
  code: Code,
  text: string | Buffer,
  message: string,
): TextCase => ({ name, code, text, message });

/** Texts that are not JSON, or not a description document. */
export const inputs: readonly TextCase[] = [
  syntax("trailing comma", '{\n  "a": 1,\n}\n', "3:1", "trailing comma"),
  syntax("trailing comma in a list", "[1, 2, ]", "1:8", "trailing comma"),
  syntax("single quotes", "{\n  'a': 1\n}", "2:3", `unexpected "'"`),
  syntax("a single-quoted value", `{"a": 'b'}`, "1:7", `unexpected "'"`),
  syntax("no quotes", '{\n\t"a": {b: 1}}', "2:8", 'unexpected "b"'),
  syntax("unterminated string", '{\n "a": "b\n}', "2:7", "unterminated string"),
  syntax("unknown escape", '{"a": "\\x"}', "1:7", "invalid escape"),
  syntax(
    "truncated",
    '{"a": {"b": [1, 2',
    "1:18",
    "unexpected end of the text",
  ),
  syntax("truncated after a key", '{"a"', "1:5", "unexpected end of the text"),
  syntax(
    "truncated on a new line",
    '{"a":\n',
    "2:1",
    "unexpected end of the text",
  ),
  syntax("missing comma", '{"a": 1\n "b": 2}', "2:2", 'expected ","'),
  syntax("missing colon", '{"a" 1}', "1:6", 'expected ":"'),
  syntax("missing value", '{"a": }', "1:7", 'unexpected "}"'),
  syntax("text after the end", '{"a": 1}\n{"b": 2}', "2:1", "after the end"),
  syntax(
    "a comment",
    '{\n  // no\n  "a": 1}',
    "2:3",
    "comments are not allowed",
  ),
  syntax("NaN", '{"a": NaN}', "1:7", 'unexpected "N"'),
  syntax("a leading zero", '{"a": 012}', "1:8", 'expected ","'),
  syntax("CRLF", '{\r\n  "a": 1,\r\n}\r\n', "3:1", "trailing comma"),
  syntax("byte order mark", '\ufeff{"a": 1,}', "1:9", "trailing comma"),
  syntax("YAML", "kind: discovery#restDescription\n", "1:1", 'unexpected "k"'),
  syntax("HTML", "<!doctype html>\n", "1:1", 'unexpected "<"'),
  syntax("wide characters before", '{"ä𝒳": x}', "1:9", 'unexpected "x"'),
  whole("empty", "json-empty", "", "is empty"),
  whole("white space", "json-empty", " \n\t\r\n", "is empty"),
  whole("a byte order mark only", "json-empty", "\ufeff", "is empty"),
  whole(
    "binary",
    "json-binary",
    Buffer.from([0x1f, 0x8b, 8, 0, 0xff]),
    "must be UTF-8 text",
  ),
  whole(
    "UTF-16",
    "json-binary",
    Buffer.from('{"a":1}', "utf16le"),
    "must be UTF-8 text",
  ),
  whole(
    "Latin-1",
    "json-binary",
    Buffer.from('{"a":"ä"}', "latin1"),
    "must be UTF-8 text",
  ),
  whole("NUL", "json-binary", '{"a":"\0"}', "must be UTF-8 text"),
  whole("an array", "kind-wrong", "[]", "found an array"),
  whole("null", "kind-wrong", "null", "found null"),
  whole("a number", "kind-wrong", "5", "found a number"),
  whole("a string", "kind-wrong", '"x"', "found a string"),
  whole("an empty object", "kind-wrong", "{}", '"kind" field is missing'),
  whole(
    "a kind that is not a string",
    "kind-wrong",
    '{"kind": {"a": [1]}}',
    "must have kind",
  ),
  whole(
    "a package manifest",
    "kind-wrong",
    '{"name":"x","version":"1.0.0"}',
    '"kind" field is missing',
  ),
  whole(
    "an OpenAPI 2 document",
    "kind-openapi",
    '{"swagger":"2.0"}',
    "OpenAPI",
  ),
  whole(
    "an error of another form",
    "kind-error-response",
    '{"error":"no"}',
    "no",
  ),
  whole(
    "a million levels",
    "kind-wrong",
    "[".repeat(1e6) + "]".repeat(1e6),
    "array",
  ),
  syntax(
    "a million levels, open",
    "[".repeat(1e6),
    "1:1",
    "too many levels of nesting",
  ),
];
