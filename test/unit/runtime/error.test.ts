import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ApiError, isApiError } from "../../../src/runtime/client/index.js";
import {
  client,
  failure,
  fullClient,
  json,
  make,
  recorder,
} from "./helpers.js";

async function errorOf(response: Response) {
  return failure(make()(client(recorder(response).fetch), { q: "x" }));
}

const item = {
  reason: "notFound",
  domain: "global",
  message: "File not found.",
};
const info = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "API_DISABLED",
};

describe("error bodies", () => {
  it.each<[string, unknown, string, object]>([
    [
      "an object",
      {
        error: {
          code: 404,
          message: "Gone.",
          status: "NOT_FOUND",
          errors: [item],
          details: [info],
        },
      },
      "404 Gone.",
      {
        code: 404,
        serverCode: "NOT_FOUND",
        reason: "notFound",
        errors: [item],
        details: [info],
      },
    ],
    [
      "details only",
      {
        error: {
          message: "Off.",
          status: "PERMISSION_DENIED",
          details: [{}, info],
        },
      },
      "404 Off.",
      { serverCode: "PERMISSION_DENIED", reason: "API_DISABLED", errors: [] },
    ],
    [
      "a list",
      [{ error: { message: "In a list.", status: "ABORTED" } }],
      "404 In a list.",
      { serverCode: "ABORTED" },
    ],
    [
      "OAuth",
      { error: "invalid_grant", error_description: "Expired." },
      "404 Expired.",
      { serverCode: "invalid_grant" },
    ],
    [
      "OAuth without text",
      { error: "invalid_client" },
      "404 invalid_client",
      { serverCode: "invalid_client" },
    ],
    ["text", { error: "It broke" }, "404 It broke", {}],
    [
      "message and errors",
      {
        message: "Validation Failed",
        errors: [{ code: "x" }],
        documentation_url: "u",
      },
      "404 Validation Failed",
      { errors: [{ code: "x" }] },
    ],
    [
      "status and msg",
      { status: "error", msg: "no such user" },
      "404 no such user",
      { serverCode: "error" },
    ],
    [
      "invalid values in every field",
      { error: { message: {}, status: 7, errors: "e", details: [null, 3] } },
      "404 Not Found",
      { errors: ["e"], details: [null, 3] },
    ],
    ["null", null, "404 Not Found", {}],
    ["an empty list", [], "404 Not Found", {}],
    ["a number", 7, "404 Not Found", {}],
  ])("%s", async (_, body, message, expected) => {
    const error = await errorOf(
      json(body, { status: 404, statusText: "Not Found" }),
    );
    expect(error.message).toBe(`drive.files.list: ${message}`);
    expect(error).toMatchObject({ kind: "http", status: 404, ...expected });
    expect(error.body).toBe(JSON.stringify(body));
    const [, said] = /^404 (.*)/.exec(message) ?? [];
    expect(error.serverMessage ?? "Not Found").toBe(said);
  });

  it.each<[string, string, string]>([
    [
      "the title of an HTML page",
      "<!DOCTYPE html><html><head>\n<title>Error 502 (Server Error)!!1</title><style>*{margin:0}</style><script>x</script></head><body><p>Try\n again</p></body></html>",
      "502 Error 502 (Server Error)!!1 Try again",
    ],
    ["text", "upstream connect  error", "502 upstream connect error"],
    ["the status of nothing", "", "502 Bad Gateway"],
    ["the status of markup only", "<br><hr>", "502 Bad Gateway"],
    ["cut JSON", '{"error":', '502 {"error":'],
  ])("%s", async (_, body, message) => {
    const error = await errorOf(
      new Response(body, { status: 502, statusText: "Bad Gateway" }),
    );
    expect(error.message).toBe(`drive.files.list: ${message}`);
  });

  it("cuts long bodies, and long text in messages", async () => {
    const error = await errorOf(
      new Response("<p>" + "y".repeat(9000), { status: 500 }),
    );
    expect(error.body).toHaveLength(2000);
    expect(error.message.length).toBeLessThan(250);
    const message = "m".repeat(5000);
    const long = await errorOf(json({ error: { message } }, { status: 400 }));
    expect(long.message).toContain(message);
    expect(long.body).toHaveLength(2000);
  });

  it("parses a huge page of open tags in linear time", async () => {
    const page = "<style".repeat(200_000);
    const error = await errorOf(new Response(page, { status: 500 }));
    expect(error.message.length).toBeLessThan(250);
  });

  it("has the headers and the id of the request", async () => {
    const headers = { "x-request-id": "r1", "retry-after": "3" };
    const error = await errorOf(json({}, { status: 429, headers }));
    expect(error.requestId).toBe("r1");
    expect(error.headers.get("retry-after")).toBe("3");
  });

  it("counts 304 as an error", async () => {
    const error = await errorOf(new Response(null, { status: 304 }));
    expect(error).toMatchObject({ kind: "http", status: 304 });
  });
});

describe("secrets", () => {
  const options = {
    apiKey: "SECRETkey",
    auth: "SECRETtoken",
    headers: { "x-secret": "SECRETheader" },
  };
  const all = (error: Error) =>
    inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);

  it.each<[string, () => unknown]>([
    ["http", () => json({}, { status: 403 })],
    ["decode", () => new Response(new Blob(["{"]))],
    [
      "network",
      () => {
        throw new TypeError("down");
      },
    ],
    [
      "network",
      () => {
        const url = "https://api.example.com/drive/v3/files?key=SECRETkey";
        throw new TypeError(`cannot fetch (${url})`, { cause: { url } });
      },
    ],
  ])("are not in errors of kind %s (%#)", async (kind, answer) => {
    const { fetch, sent } = recorder(answer);
    const parameters = { access_token: "SECRETaccess" };
    const error = await failure(make()(client(fetch, options), parameters));
    expect(sent[0]?.url).toContain("SECRETaccess");
    expect(sent[0]?.headers["authorization"]).toBe("Bearer SECRETtoken");
    expect(error).toMatchObject({
      kind,
      url: "https://api.example.com/drive/v3/files",
    });
    expect(all(error)).not.toContain("SECRET");
  });

  it("are not in the error of the real fetch for an invalid root URL", async () => {
    const rootUrl = "no url";
    const call = make()(client(fetch, { ...options, rootUrl }));
    const error = await failure(call);
    expect(error).toMatchObject({ kind: "network" });
    expect(error.message).toContain("no url");
    expect(all(error)).not.toContain("SECRET");
  });
});

describe("ApiError", () => {
  it("names host and code of a failed connection", async () => {
    const refused = { code: "ECONNREFUSED", input: "?key=SECRET" };
    const cause = new TypeError("fetch failed", { cause: refused });
    const { fetch } = recorder(() => Promise.reject(cause));
    const error = await failure(make()(fullClient(fetch, { retry: false })));
    expect(error).toMatchObject({
      kind: "network",
      methodId: "drive.files.list",
    });
    expect(error.message).toBe(
      "drive.files.list: api.example.com: ECONNREFUSED",
    );
    expect(error.cause).toEqual({ code: "ECONNREFUSED" });
    expect(error.code).toBe("ECONNREFUSED");
    expect(inspect(error)).not.toContain("SECRET");
    expect(error.status).toBeUndefined();
  });

  it("has kind network for an incomplete body", async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new TypeError("reset")),
    });
    const error = await errorOf(new Response(body));
    expect(error).toMatchObject({ kind: "network", status: 200 });
  });

  it("is recognised by name, also across copies", () => {
    const facts = { kind: "http", methodId: "a.b" } as const;
    const error = new ApiError("no", facts);
    expect(error).toBeInstanceOf(Error);
    expect(isApiError(error)).toBe(true);
    const copy = Object.assign(new Error("no"), { name: "ApiError" });
    expect(isApiError(copy)).toBe(true);
    for (const other of [new Error("no"), null, { name: "ApiError" }])
      expect(isApiError(other)).toBe(false);
  });
});
