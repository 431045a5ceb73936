import { describe, expect, test } from "vitest";
import {
  parseHeaders,
  resolveHeaders,
} from "../../../src/remote/remote-settings.js";

const TOKEN = "hunter2-hunter2";

test("headers are sent to exactly their host", () => {
  const { headersOf, secrets } = resolveHeaders(
    {
      "API.example.com": { Authorization: "Bearer env:GEN_TOKEN" },
      "api.example.com:8443": { "x-key": "env:GEN_TOKEN" },
    },
    { GEN_TOKEN: TOKEN },
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
  expect(headers("http://api.example.com/x")).toEqual({});
  expect(headers("http://api.example.com:443/x")).toEqual({});
  expect(headers("http://api.example.com:8443/")).toEqual({});
  expect(secrets).toEqual([TOKEN]);
});

test("headers are sent without encryption only if the key says http", () => {
  const { headersOf } = resolveHeaders(
    {
      "http://localhost:8080": { x: "env:GEN_TOKEN" },
      "http://Plain.example": { x: "env:GEN_TOKEN" },
    },
    { GEN_TOKEN: TOKEN },
  );
  const headers = (url: string): object => headersOf(new URL(url));
  expect(headers("http://localhost:8080/x")).toEqual({ x: TOKEN });
  expect(headers("http://plain.example:80/")).toEqual({ x: TOKEN });
  expect(headers("https://localhost:8080/x")).toEqual({});
  expect(headers("https://plain.example/")).toEqual({});
});

test("a missing variable fails only requests to its host", () => {
  const { headersOf, secrets } = resolveHeaders(
    {
      "a.example": { x: "env:GEN_NONE", y: "env:GEN_TOKEN" },
      "b.example": { x: "env:GEN_TOKEN" },
    },
    { GEN_TOKEN: TOKEN },
  );
  expect(() => headersOf(new URL("https://a.example/"))).toThrow(
    "headers of a.example: x: GEN_NONE is not set",
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
      /authorization must be "env:GEN_NAME"/,
    ],
    [
      "a missing variable",
      { "a.example": { x: "env:GEN_NONE" } },
      /headers of a.example: x: GEN_NONE is not set/,
    ],
    [
      "a line break",
      { "a.example": { x: "env:GEN_BREAK" } },
      /GEN_BREAK must not contain control characters/,
    ],
    [
      "a variable of another program",
      { "a.example": { x: "env:AWS_SECRET_ACCESS_KEY" } },
      /begins with GEN_, not to AWS_SECRET_ACCESS_KEY; store the value in GEN_AWS_SECRET_ACCESS_KEY/,
    ],
    [
      "a path after http",
      { "http://a.example/x": { x: "env:GEN_TOKEN" } },
      /must be a host/,
    ],
    [
      "a user after http",
      { "http://u@a.example": { x: "env:GEN_TOKEN" } },
      /must be a host/,
    ],
    [
      "a header of the client",
      { "a.example": { Host: "env:GEN_TOKEN" } },
      /"Host" can't be set/,
    ],
    [
      "a header name with a line break",
      { "a.example": { "x\r\ny": "env:GEN_TOKEN" } },
      /can't be set/,
    ],
    [
      "a URL as host",
      { "https://a.example": { x: "env:GEN_TOKEN" } },
      /must be a host/,
    ],
    [
      "a path in the host",
      { "a.example/x": { x: "env:GEN_TOKEN" } },
      /must be a host/,
    ],
    [
      "a user in the host",
      { "u@a.example": { x: "env:GEN_TOKEN" } },
      /must be a host/,
    ],
  ])("%s", (_, headers, message) => {
    const env = {
      GEN_TOKEN: TOKEN,
      AWS_SECRET_ACCESS_KEY: TOKEN,
      GEN_BREAK: `a\r\n${TOKEN}`,
    };
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
