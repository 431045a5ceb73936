import { describe, expect, it } from "vitest";
import {
  expandTemplate,
  isApiError,
  jsonBody,
  keepReserved,
} from "../../../src/runtime/client/index.js";
import {
  client,
  failure,
  fullClient,
  make,
  recorder,
  targetOf,
} from "./helpers.js";

const files = "/drive/v3/files";

describe("query", () => {
  it.each<[string, object, string]>([
    ["keeps the caller's order", { b: 1, a: 2 }, "?b=1&a=2"],
    ["repeats arrays", { a: ["x", "y", "x"] }, "?a=x&a=y&a=x"],
    ["sends nothing for an empty array", { a: [], b: "1" }, "?b=1"],
    ["writes booleans", { a: true, b: false }, "?a=true&b=false"],
    [
      "writes numbers",
      { a: 0, b: -1.5, c: 1e21, d: NaN },
      "?a=0&b=-1.5&c=1e%2B21&d=NaN",
    ],
    ["writes bigints", { a: 2n ** 63n }, "?a=9223372036854775808"],
    ["keeps empty strings", { a: "", b: [""] }, "?a=&b="],
    [
      "drops undefined and null",
      { a: undefined, b: null, c: [null, "x", undefined] },
      "?c=x",
    ],
    ["writes dates", { a: new Date(0) }, "?a=1970-01-01T00%3A00%3A00.000Z"],
    [
      "encodes everything but unreserved characters",
      { a: "AZaz09-._~ !\"#$%&'()*+,/:;<=>?@[\\]^`{|}\té😀" },
      "?a=AZaz09-._~%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D%09%C3%A9%F0%9F%98%80",
    ],
    ["encodes names", { "$.xgafv": "1", "a b": 2 }, "?%24.xgafv=1&a%20b=2"],
    [
      "sends names of Object.prototype like others",
      JSON.parse('{"__proto__":"a","constructor":"b"}') as object,
      "?__proto__=a&constructor=b",
    ],
    ["is absent without parameters", {}, ""],
  ])("%s", async (_, parameters, query) => {
    expect(await targetOf({}, parameters)).toBe(files + query);
  });

  it("does not contain the body", async () => {
    const post = { httpMethod: "POST", body: jsonBody };
    const parameters = { requestBody: {}, a: 1 };
    expect(await targetOf(post, parameters)).toBe(`${files}?a=1`);
  });

  const secret = { client_secret: "SECRET" };
  it.each<[string, object, string]>([
    ["auth", { auth: secret }, "auth is an option of the client or call"],
    ["auth as text", { auth: "SECRET" }, "auth is an option of the client"],
    ["resource", { resource: { name: "a" } }, "resource is called requestBody"],
    [
      "headers",
      { headers: { "x-a": "b" } },
      "headers is an option of the call",
    ],
    [
      "media",
      { media: { body: "a" } },
      "drive.files.list: media is not a parameter",
    ],
    [
      "requestBody",
      { requestBody: { name: "a" } },
      "drive.files.list: requestBody is not a parameter",
    ],
    ["an object", { a: secret }, "a must not be an object: use requestBody"],
    ["an object in a list", { a: ["b", secret] }, "must not be an object"],
    ["a list in a list", { a: [["b"]] }, "must not be an object"],
    ["a function", { a: () => 1 }, "must not be an object"],
    ["an object in the path", { id: secret }, "id must not be an object"],
  ])("rejects %s before anything is sent", async (_, parameters, message) => {
    const { sent, fetch } = recorder();
    const call = make({ path: "f/{id}" });
    for (const api of [client(fetch), fullClient(fetch)]) {
      const error = await failure(call(api, { id: "1", ...parameters }));
      expect(isApiError(error)).toBe(true);
      expect(error.kind).toBe("request");
      expect(error.message).toContain(message);
      expect(JSON.stringify(error) + error.message).not.toContain("SECRET");
    }
    expect(sent).toEqual([]);
  });

  it("rejects an object among the parameters of the client", async () => {
    const options = { parameters: { a: secret } };
    await expect(targetOf({}, {}, options)).rejects.toThrow(
      "a must not be an object",
    );
  });

  it("sends declared parameters called auth and resource", async () => {
    const names = { auth: "auth", headers: "headers" };
    const path = "f/{resource}";
    const parameters = { resource: "r", auth: "a", headers: "b" };
    expect(await targetOf({ path, names }, parameters)).toBe(
      "/drive/v3/f/r?auth=a&headers=b",
    );
  });

  it("ignores rejected names without a value", async () => {
    const parameters = { auth: undefined, media: null, a: 1 };
    expect(await targetOf({}, parameters)).toBe(`${files}?a=1`);
  });

  it("sends any name of the option query", async () => {
    const { sent, fetch } = recorder();
    const query = { auth: "a", media: 1 };
    await make()(client(fetch), {}, { query });
    expect(sent[0]?.target).toBe(`${files}?auth=a&media=1`);
  });

  it("renames only by own entries of names", async () => {
    const names = { media_: "media", requestBody_: "requestBody" };
    const parameters = { media_: 1, requestBody_: 2, constructor: 3 };
    expect(await targetOf({ names }, parameters)).toBe(
      `${files}?media=1&requestBody=2&constructor=3`,
    );
  });

  it("adds common parameters; those of the call override them", async () => {
    const options = { parameters: { fields: "a", quotaUser: "q" } };
    expect(await targetOf({}, { fields: "b" }, options)).toBe(
      `${files}?fields=b&quotaUser=q`,
    );
    expect(await targetOf({}, { fields: undefined }, options)).toBe(
      `${files}?quotaUser=q`,
    );
  });

  it("adds the API key last, unless the call has one", async () => {
    const options = { apiKey: "k&" };
    expect(await targetOf({}, { a: 1 }, options)).toBe(`${files}?a=1&key=k%26`);
    expect(await targetOf({}, { key: "x", a: 1 }, options)).toBe(
      `${files}?key=x&a=1`,
    );
  });

  it("never puts the API key into a path, even for a variable called key", async () => {
    const method = { path: "keys/{+key}" };
    const options = { apiKey: "SECRET" };
    await expect(targetOf(method, {}, options)).rejects.toThrow(
      "path parameter key: empty",
    );
    expect(await targetOf(method, { key: "a" }, options)).toBe(
      "/drive/v3/keys/a?key=SECRET",
    );
  });

  it("reads the parameters when called, not when sent", async () => {
    const { sent, fetch } = recorder();
    const parameters = { a: 1 };
    const call = make()(client(fetch), parameters);
    parameters.a = 2;
    await call;
    expect(sent[0]?.target).toBe(`${files}?a=1`);
  });
});

describe("path", () => {
  const path = "v1/{+name}:undelete/{id}";
  const reserved = ":/?#[]@!$&'()*+,;=";

  it("encodes everything but unreserved characters in {v}, and also keeps / in {+v}", async () => {
    const encoded = "%3A/%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D";
    expect(
      await targetOf({ path }, { name: `a${reserved}%2F %é`, id: "a/b%20 ~" }),
    ).toBe(`/drive/v3/v1/a${encoded}%252F%20%25%C3%A9:undelete/a%2Fb%2520%20~`);
  });

  it("keeps reserved characters and triplets except ? and # in {+v} with keepReserved", async () => {
    expect(
      await targetOf(
        { path },
        { name: `a${reserved}%2F%zz %é😀`, id: ":%2F" },
        {},
        { keepReserved },
      ),
    ).toBe(
      "/drive/v3/v1/a:/%3F%23[]@!$&'()*+,;=%2F%25zz%20%25%C3%A9%F0%9F%98%80:undelete/%3A%252F",
    );
  });

  it.each<[unknown, string]>([
    [0, "0"],
    [false, "false"],
    [new Date(0), "1970-01-01T00%3A00%3A00.000Z"],
    ["a b", "a%20b"],
    ["...", "..."],
    [".a", ".a"],
  ])("takes the value %s", async (id, text) => {
    expect(await targetOf({ path: "{id}" }, { id })).toBe(`/drive/v3/${text}`);
  });

  it("never repeats a path variable in the query", async () => {
    const path = "a/{id}/{id}/{$x}";
    expect(await targetOf({ path }, { b: 1, id: "x", $x: "y" })).toBe(
      "/drive/v3/a/x/x/y?b=1",
    );
  });

  it.each<[string, object, boolean]>([
    ["{id}", {}, false],
    ["{id}", { id: undefined }, false],
    ["{id}", { id: null }, false],
    ["{id}", { id: "" }, false],
    ["{id}", { id: "." }, false],
    ["{id}:verb", { id: ".." }, false],
    ["{+id}", { id: ".." }, false],
    ["{+id}", { id: "a/../b" }, false],
    ["{+id}", { id: "a/." }, false],
    ["{+id}", { id: "./a" }, false],
    ["{+id}", { id: "a/%2e%2E/b" }, true],
    ["{+id}", { id: ".%2e" }, true],
    ["{constructor}", {}, false],
  ])("rejects %s with %o before sending", async (path, given, keep) => {
    const { sent, fetch } = recorder();
    const more = keep ? { keepReserved } : {};
    const error = await failure(make({ path })(client(fetch, {}, more), given));
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({
      kind: "request",
      methodId: "drive.files.list",
    });
    expect(error.message).toContain(path.replace(/[{}+]|:verb/g, ""));
    expect(sent).toEqual([]);
  });

  it("treats %2e as data where % is encoded", async () => {
    expect(await targetOf({ path: "{+id}" }, { id: "%2e%2e" })).toBe(
      "/drive/v3/%252e%252e",
    );
  });

  it.each([
    [{ path: "{id}" }, { id: "\ud800" }],
    [{}, { q: "a\udc00" }],
    [{}, { q: new Date(NaN) }],
    [{}, { q: { a: 1n } }],
  ])(
    "throws an ApiError for a value without text: %o",
    async (descriptor, given) => {
      const { sent, fetch } = recorder();
      const error = await failure(make(descriptor)(client(fetch), given));
      expect(error).toMatchObject({ kind: "request", name: "ApiError" });
      expect(sent).toEqual([]);
    },
  );

  it("uses expandTemplate, with the path check, for other operators", async () => {
    const descriptor = {
      path: "b/{bucket}{/rest*}{?q}",
      expand: expandTemplate,
    };
    expect(
      await targetOf(descriptor, { bucket: "a b", rest: ["x/y", "z"], q: 1 }),
    ).toBe("/drive/v3/b/a%20b/x%2Fy/z?q=1");
    expect(await targetOf(descriptor, { bucket: "a" })).toBe("/drive/v3/b/a");
    for (const given of [{}, { bucket: "a", rest: [".."] }])
      expect(
        await failure(make(descriptor)(client(recorder().fetch), given)),
      ).toMatchObject({ kind: "request" });
    const open = { path: "b/{+a,b}", expand: expandTemplate };
    expect(
      await failure(make(open)(client(recorder().fetch), { a: "x?y", b: 1 })),
    ).toMatchObject({ kind: "request" });
  });
});

describe("root", () => {
  it.each<[string, string, string]>([
    ["https://x.example.com/", "files", "https://x.example.com/drive/v3/files"],
    ["http://localhost:8080", "files", "http://localhost:8080/drive/v3/files"],
    ["https://x.example.com/p//", "a", "https://x.example.com/p/drive/v3/a"],
    [
      "https://x.example.com/p/",
      "/upload/a",
      "https://x.example.com/p/upload/a",
    ],
  ])("joins %s and %s", async (rootUrl, path, url) => {
    const { sent, fetch } = recorder();
    await make({ path })(client(fetch, { rootUrl }), {});
    expect(sent[0]?.url).toBe(url);
  });

  it("joins without a service path", async () => {
    expect(await targetOf({ path: "v1/a" }, {}, {}, { servicePath: "" })).toBe(
      "/v1/a",
    );
  });
});
