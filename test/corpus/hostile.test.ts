import { expect, test } from "vitest";
import { judge, type Attempt, type Verdict } from "./hostile.js";
import type { RawDocument } from "./inventory/document.js";

const strict: RawDocument = {
  name: "demo",
  version: "v1",
  rootUrl: "https://demo.example.com/",
  servicePath: "demo/",
  fullyEncodeReservedExpansion: true,
  methods: { get: { path: "{+name}:read", httpMethod: "GET" } },
};
const loose: RawDocument = { ...strict, fullyEncodeReservedExpansion: false };

function verdict(
  name: string,
  outcome: string | { readonly error: string; readonly sent?: string },
  document = strict,
): Verdict["kind"] {
  const target = typeof outcome === "string" ? outcome : outcome.sent;
  const attempt: Attempt = {
    doc: "demo.v1",
    id: "get#call-hostile",
    methodId: "demo.get",
    params: { name, fields: "a b" },
    sent: target === undefined ? [] : [{ method: "GET", target }],
    ...(typeof outcome === "string" ? {} : { error: outcome.error }),
  };
  return judge(attempt, document).kind;
}

/** The judge of hostile calls distinguishes harmless from harmful ones. */
test.each([
  ["a/?b", "/demo/a/%3Fb:read?fields=a%20b", strict, "encoded"],
  ["a/#", "/demo/a/%23:read?fields=a+b", strict, "encoded"],
  ["%2e%2e", "/demo/%252e%252e:read?fields=a%20b", strict, "encoded"],
  ["a%2Fb", "/demo/a%2Fb:read?fields=a%20b", loose, "encoded"],
  ["a/..", { error: "ApiError: contains . or .." }, strict, "refused"],
  ["", { error: "ApiError: empty" }, strict, "refused"],
  ["a/b", { error: "ApiError: why?" }, strict, "unsafe"],
  ["..", { error: "late", sent: "/demo/" }, strict, "unsafe"],
  ["a?b", "/demo/a?b:read&fields=a%20b", strict, "unsafe"],
  ["a/../b", "/demo/b:read?fields=a%20b", strict, "unsafe"],
  ["..", "/demo/..:read?fields=a%20b", strict, "encoded"],
  ["a%2Fb", "/demo/a%2Fb:read?fields=a%20b", strict, "unsafe"],
  ["a%2Fb", "/demo/a/b:read?fields=a%20b", loose, "unsafe"],
  ["a", "/demo/a:read", strict, "unsafe"],
  ["a", "/demo/a:read?fields=a%20b&x=1", strict, "unsafe"],
] as const)("%s as %j", (name, outcome, document, wanted) => {
  expect(verdict(name, outcome, document)).toBe(wanted);
});
