import { asJson } from "../cases/documents.js";

/** Text that has broken one generator or another; `pwned` marks what must not become code. */
export const HOSTILE: readonly string[] = [
  "*/ pwned(); /*",
  "*/ pwned: string; /**",
  "/* pwned",
  "// pwned",
  "*",
  "/",
  "**/",
  "*\\/",
  "* /",
  "*\n/ pwned",
  "\\u002a/ pwned();",
  "'; pwned(); '",
  '"; pwned(); "',
  "`; pwned(); `",
  "${pwned()}",
  "\\",
  "\\\\'\"",
  "\\\n",
  "{{{name}}}",
  "{{&name}}",
  "</script><script>pwned()</script>",
  "<!-- pwned",
  "--> pwned",
  "a\u2028pwned()\u2029b",
  "\u0000\u0001\u001b[31m\u007f\u0085",
  "\u202e\u2066pwned\u2069\u202c\u200f\ufeff",
  "line\r\nfeed\rreturn\n\nnew",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "then",
  "../../x",
  "..\\..\\x",
  "/etc/passwd",
  "C:\\x",
  "file:///x",
  "CON",
  "nul.ts",
  ".",
  "..",
  "@deprecated pwned",
  "x\n@deprecated pwned",
  `${"long ".repeat(15)}@pwned ${"long ".repeat(15)}@internal`,
  "{@link pwned}",
  "{@link https://example.com pwned}",
  "@",
  "@ts-ignore",
  "@ts-nocheck",
  '/// <reference path="pwned" />',
  "#! pwned",
  "import pwned",
  "lone \ud83d surrogate",
  "\udc00",
  "😀👩‍👩‍👧",
  "x".repeat(10_000),
  "x ".repeat(5_000),
  "*/".repeat(2_000),
  "%s%d%n",
  "$&$1$`",
  "[(?<",
  "{variable}",
  "{+v*,x:3}",
  "}{",
  "{}",
  " ",
  "\t",
  "0",
  "1e3",
  "-1",
  "a.b",
  "a-b",
  "delete",
  "await",
  "string",
  "Omit",
  "ünï",
  "名前",
  "ⅷ",
];

/** A slot of a document that hostile text can fill; equal labels get equal text. */
export function slot(label: string): string {
  return `\u0001${label}\u0002`;
}

const SLOT = /\u0001([^\u0002]*)\u0002/g;

/** Labels of all slots, in order. */
export function slotsOf(document: unknown): string[] {
  const text = JSON.stringify(document).replace(
    /\\u000([12])/g,
    (_, digit: string) => (digit === "1" ? "\u0001" : "\u0002"),
  );
  return [...new Set([...text.matchAll(SLOT)].map(([, label]) => label!))];
}

/** The document with its slots filled, in keys and in values. */
export function fill(node: unknown, text: (label: string) => string): unknown {
  if (typeof node === "string")
    return node.replace(SLOT, (_, label: string) => text(label));
  if (Array.isArray(node)) return node.map((item) => fill(item, text));
  if (typeof node !== "object" || node === null) return node;
  const filled = {};
  for (const [key, value] of Object.entries(asJson(node)))
    Object.defineProperty(filled, fill(key, text) as string, {
      value: fill(value, text),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return filled;
}

const string = { type: "string" };

/** What every schema node can say of itself. */
function said(label: string): Record<string, unknown> {
  return {
    description: slot(`${label} description`),
    format: slot(`${label} format`),
    pattern: slot(`${label} pattern`),
    default: slot(`${label} default`),
    minimum: slot(`${label} minimum`),
    maximum: slot(`${label} maximum`),
  };
}

function choice(label: string): Record<string, unknown> {
  return {
    type: "string",
    enum: [slot(`${label} value 1`), slot(`${label} value 2`)],
    enumDescriptions: [slot(`${label} says 1`), slot(`${label} says 2`)],
    enumDeprecated: [false, true],
    description: slot(`${label} description`),
    deprecated: true,
  };
}

/** A document that uses every feature, with a slot in every string and key. */
export const TEMPLATE: Readonly<Record<string, unknown>> = {
  kind: "discovery#restDescription",
  etag: slot("etag"),
  id: slot("id"),
  name: slot("name"),
  version: slot("version"),
  revision: slot("revision"),
  canonicalName: slot("canonicalName"),
  title: slot("title"),
  description: slot("description"),
  documentationLink: slot("documentationLink"),
  ownerDomain: slot("ownerDomain"),
  ownerName: slot("ownerName"),
  packagePath: slot("packagePath"),
  protocol: slot("protocol"),
  icons: { x16: slot("icon"), x32: slot("icon") },
  labels: [slot("label")],
  features: ["dataWrapper", slot("feature")],
  baseUrl: slot("baseUrl"),
  basePath: slot("basePath"),
  rootUrl: slot("rootUrl"),
  mtlsRootUrl: slot("mtlsRootUrl"),
  servicePath: slot("servicePath"),
  batchPath: slot("batchPath"),
  endpoints: [
    {
      endpointUrl: slot("endpointUrl"),
      location: slot("location"),
      description: slot("endpoint description"),
      deprecated: true,
    },
  ],
  [slot("unknown key")]: slot("unknown value"),
  auth: {
    oauth2: {
      scopes: {
        [slot("scope")]: { description: slot("scope description") },
        [`https://www.googleapis.com/auth/${slot("scope tail")}`]: {},
      },
    },
  },
  parameters: {
    [slot("common")]: { ...string, location: "query", ...said("common") },
    [slot("common choice")]: { ...choice("common"), location: "query" },
  },
  schemas: {
    [slot("Thing")]: {
      id: slot("schema id"),
      type: "object",
      description: slot("Thing description"),
      deprecated: true,
      [slot("unknown schema key")]: {},
      properties: {
        [slot("plain")]: { ...string, ...said("plain"), deprecated: true },
        [slot("read only")]: { ...string, readOnly: true },
        [slot("inline")]: {
          type: "object",
          description: slot("inline description"),
          properties: { [slot("inner")]: { $ref: slot("Thing") } },
        },
        [slot("choice")]: choice("inline choice"),
        [slot("list")]: { type: "array", items: choice("list choice") },
        [slot("map")]: {
          type: "object",
          additionalProperties: { $ref: slot("Other") },
        },
        [slot("lost")]: { $ref: slot("nowhere") },
        [slot("odd")]: { type: slot("odd type") },
        [slot("level")]: {
          type: "integer",
          enum: [slot("level value")],
          enumDescriptions: [slot("level says")],
        },
        [slot("needed")]: {
          ...string,
          annotations: { required: [slot("insert id"), slot("ghost id")] },
        },
      },
    },
    [slot("Other")]: {
      type: "object",
      properties: { [slot("free")]: string },
      additionalProperties: { $ref: slot("Thing") },
    },
    [slot("Choice")]: choice("Choice"),
    [slot("Alias")]: { $ref: slot("Thing"), description: slot("Alias says") },
    [slot("Variant")]: {
      type: "object",
      properties: { [slot("shared")]: string },
      variant: {
        discriminant: slot("discriminant"),
        map: [
          { type_value: slot("tag"), $ref: slot("Thing") },
          { type_value: slot("other tag"), $ref: slot("Other") },
        ],
      },
    },
    [slot("Page")]: {
      type: "object",
      properties: {
        nextPageToken: string,
        [slot("items")]: { type: "array", items: { $ref: slot("Thing") } },
        [slot("more")]: { type: "array", items: string },
      },
    },
  },
  methods: {
    [slot("top")]: { id: slot("top id"), path: slot("top path") },
  },
  resources: {
    [slot("resource")]: {
      methods: {
        [slot("list method")]: {
          id: slot("list id"),
          path: `${slot("path")}/{${slot("variable")}}:${slot("verb")}`,
          flatPath: slot("flatPath"),
          httpMethod: "GET",
          description: slot("method description"),
          deprecated: true,
          apiVersion: slot("apiVersion"),
          parameters: {
            [slot("variable")]: {
              ...string,
              location: "path",
              required: true,
              ...said("variable"),
            },
            [slot("query")]: {
              ...choice("query"),
              location: "query",
              repeated: true,
            },
            [slot("common")]: { type: "integer", location: "query" },
            [slot("object")]: {
              type: "object",
              location: slot("place"),
              properties: { [slot("member")]: string },
            },
            pageToken: { ...string, location: "query" },
          },
          parameterOrder: [slot("variable"), slot("ghost")],
          response: { $ref: slot("Page") },
          scopes: [slot("scope"), slot("undeclared scope")],
          supportsMediaDownload: true,
        },
        [slot("insert method")]: {
          id: slot("insert id"),
          path: slot("insert path"),
          httpMethod: "POST",
          request: {
            $ref: slot("Thing"),
            parameterName: slot("parameterName"),
          },
          response: {
            type: "object",
            properties: { [slot("answer")]: choice("answer") },
          },
          supportsMediaUpload: true,
          mediaUpload: {
            accept: [slot("accept")],
            maxSize: slot("maxSize"),
            protocols: {
              simple: { multipart: true, path: slot("upload path") },
              resumable: { multipart: true, path: slot("resumable path") },
            },
          },
        },
        [slot("child")]: {
          id: slot("child id"),
          path: slot("child path"),
          httpMethod: slot("verb of HTTP"),
        },
        [slot("patch method")]: {
          path: slot("patch path"),
          httpMethod: "PATCH",
          request: { $ref: slot("Variant") },
          response: { $ref: slot("Choice") },
          "x-stream": {
            $ref: slot("Thing"),
            when: { [slot("asked")]: slot("how"), deep: [{ a: slot("b") }] },
            end: slot("end"),
          },
          "x-credential": {
            in: "header",
            name: slot("key header"),
            schemes: [slot("scheme")],
          },
          "x-headers": {
            Accept: { type: "string", default: slot("accepted") },
            "X-Mode": choice("mode"),
          },
          "x-response-headers": {
            "X-Left": { type: "string", description: slot("left") },
          },
          "x-errors": {
            "404": {
              description: slot("not found"),
              $ref: slot("Thing"),
            },
          },
        },
      },
      resources: {
        [slot("child")]: {
          methods: {
            [slot("grandchild")]: { id: slot("deep id"), path: slot("deep") },
          },
        },
      },
    },
  },
};
