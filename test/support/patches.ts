import { Sink } from "../../src/diagnostics/sink.js";
import { loadBytes } from "../../src/load/load.js";
import type { RawDocument } from "../../src/load/raw.js";
import { applyPatches } from "../../src/patch/apply-patches.js";
import { parsePatch } from "../../src/patch/read-patches.js";
import type { PatchFile } from "../../src/patch/patch-file.js";
import { PatchSyntaxError, parseJson } from "../../src/patch/patch-text.js";
import { parsePatchYaml } from "../../src/patch/yaml-text.js";
import { description } from "./generate.js";

/** Document with something of every kind that a patch can change. */
export const LIBRARY: Record<string, unknown> = description({
  revision: "7",
  parameters: { alt: { type: "string", location: "query" } },
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      description: "A book.",
      "x-required": ["title"],
      properties: {
        title: { type: "string", description: "Title of the book." },
        pages: { type: "integer", format: "int32", readOnly: true },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        next: { $ref: "Book" },
        "odd.name": { type: "object", additionalProperties: { $ref: "Book" } },
        id: {
          type: "string",
          annotations: { required: ["demo.books.insert"] },
        },
      },
    },
    BookList: {
      id: "BookList",
      type: "object",
      properties: {
        books: { type: "array", items: { $ref: "Book" } },
        more: { type: "array", items: { $ref: "Book" } },
        nextPageToken: { type: "string" },
      },
    },
    Operation: {
      id: "Operation",
      type: "object",
      properties: { name: { type: "string" }, done: { type: "boolean" } },
    },
  },
  resources: {
    books: {
      methods: {
        list: {
          id: "demo.books.list",
          path: "shelves/{shelf}/books",
          flatPath: "shelves/{shelf}/books",
          httpMethod: "GET",
          parameters: {
            shelf: { type: "string", location: "path", required: true },
            pageToken: { type: "string", location: "query" },
          },
          parameterOrder: ["shelf"],
          response: { $ref: "BookList" },
        },
        insert: {
          id: "demo.books.insert",
          path: "books",
          httpMethod: "POST",
          request: { $ref: "Book" },
          response: { $ref: "Operation" },
        },
      },
    },
  },
});

/** Checked document from an object. */
export function checked(document: object = LIBRARY): RawDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return loadBytes(bytes, "test.json").document!;
}

/** Parses a patch file; returns findings as `code line:column message`. */
export function parsed(
  text: string,
  file = "p.yaml",
): { readonly patch?: PatchFile; readonly findings: readonly string[] } {
  const sink = new Sink();
  try {
    const content = file.endsWith(".json")
      ? parseJson(text)
      : parsePatchYaml(text);
    const patch = parsePatch(file, content, sink);
    const findings = messagesOf(sink);
    return patch === undefined ? { findings } : { patch, findings };
  } catch (error) {
    if (!(error instanceof PatchSyntaxError)) throw error;
    const { line, column } = error.position;
    return { findings: [`patch-syntax ${line}:${column} ${error.message}`] };
  }
}

/** Applies operations in YAML to a document. */
export function patched(
  operations: string,
  document: object = LIBRARY,
): { readonly document: RawDocument; readonly findings: readonly string[] } {
  const lines = operations.trim().split("\n");
  const text = `api: demo:v1\noperations:\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
  const { patch, findings } = parsed(text);
  if (patch === undefined) throw new Error(findings.join("\n"));
  const sink = new Sink("test.json");
  const result = applyPatches(checked(document), [patch], sink);
  return { document: result.document, findings: messagesOf(sink) };
}

function messagesOf({ diagnostics }: Sink): string[] {
  return diagnostics.map(
    ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
  );
}
