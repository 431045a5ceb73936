import { describe, expect, test } from "vitest";
import {
  parseHeaders,
  resolveHeaders,
} from "../../../src/remote/remote-settings.js";

const TOKEN = "hunter2-hunter2";

test("headers are sent to exactly their host", () => {
  const { headersOf, secrets } = resolveHeaders(
    {
      "API.example.com": { Authorization: "Bearer env:TOKEN" },
      "api.example.com:8443": { "x-key": "env:TOKEN" },
    },
    { TOKEN },
  );
  const headers = (url: string): object => headersOf(new URL(url));
  expect(headers("https://api.example.com/x")).toEqual({
    authorization: `Bearer ${TOKEN}`,
  });
  expect(headers("https://api.example.com:443/")).toEqual({
    authorization: `Bearer ${TOKEN}`,
  });
  expect(headers("https://api.example.com:8443/")).toEqual({ "x-key": TOKEN });
  expect(headers("https://x.api.example.com/")).toEqual({});
  expect(headers("https://example.com/")).toEqual({});
  expect(headers("https://api.example.com.evil.example/")).toEqual({});
  expect(headers("https://api.example.com:80/")).toEqual({});
  expect(secrets).toEqual([TOKEN]);
});

test("a missing variable fails only requests to its host", () => {
  const { headersOf, secrets } = resolveHeaders(
    {
      "a.example": { x: "env:NONE", y: "env:TOKEN" },
      "b.example": { x: "env:TOKEN" },
    },
    { TOKEN },
  );
  expect(() => headersOf(new URL("https://a.example/"))).toThrow(
    "headers of a.example: x: NONE is not set",
  );
  expect(headersOf(new URL("https://b.example/"))).toEqual({ x: TOKEN });
  expect(headersOf(new URL("https://c.example/"))).toEqual({});
  expect(secrets).toEqual([TOKEN]);
});

describe("invalid settings are errors without values", () => {
  test.each<[string, object, RegExp]>([
    [
      "a literal value",
      { "a.example": { authorization: TOKEN } },
      /authorization must be "env:NAME"/,
    ],
    [
      "a missing variable",
      { "a.example": { x: "env:NONE" } },
      /headers of a.example: x: NONE is not set/,
    ],
    [
      "a line break",
      { "a.example": { x: "env:BREAK" } },
      /BREAK must not contain control characters/,
    ],
    [
      "a header of the client",
      { "a.example": { Host: "env:TOKEN" } },
      /"Host" can't be set/,
    ],
    [
      "a header name with a line break",
      { "a.example": { "x\r\ny": "env:TOKEN" } },
      /can't be set/,
    ],
    [
      "a URL as host",
      { "https://a.example": { x: "env:TOKEN" } },
      /must be a host/,
    ],
    [
      "a path in the host",
      { "a.example/x": { x: "env:TOKEN" } },
      /must be a host/,
    ],
    [
      "a user in the host",
      { "u@a.example": { x: "env:TOKEN" } },
      /must be a host/,
    ],
  ])("%s", (_, headers, message) => {
    const env = { TOKEN, BREAK: `a\r\n${TOKEN}` };
    const resolve = (): unknown =>
      resolveHeaders(headers as never, env).headersOf(
        new URL("https://a.example/"),
      );
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(TOKEN);
  });

  test.each([
    `{"a": "${TOKEN}"}`,
    `[${TOKEN}`,
    `["${TOKEN}"]`,
    `{"a":{"b":5}}`,
    "null",
  ])("%s", (text) => {
    expect(() => parseHeaders(text)).toThrow(/GEN_HEADERS must/);
    expect(() => parseHeaders(text)).not.toThrow(TOKEN);
  });
});

test("without GEN_HEADERS there are no headers", () => {
  expect(parseHeaders(undefined)).toEqual({});
  expect(parseHeaders(" ")).toEqual({});
});
