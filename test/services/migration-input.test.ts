import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  call,
  ended,
  makeRepository,
  migrate,
  serve,
  temporary,
  TOKENS,
  type Answer,
  type Running,
} from "./migration-support.js";

const { folder: root, remove } = temporary();
let host: Running;
beforeAll(async () => {
  for (const name of ["alpha", "beta"]) makeRepository(root, "acme", name);
  makeRepository(root, "other", "gamma");
  host = await serve(root, undefined, { repositories: 3 });
  await migrate(host, { repositories: ["alpha"] });
});
afterAll(async () => {
  await host.close();
  remove();
});

const LIST = "/orgs/acme/migrations";

/** Returns all stored data, which invalid input must not change. */
async function state(): Promise<unknown> {
  const tables = ["migrations", "jobs", "archives", "locks", "settings"];
  return Promise.all(
    tables.map((table) => host.store.list(`migration-${table}`)),
  );
}

/** Sends a request with a raw target, which `fetch` would normalize. */
function raw(
  method: string,
  target: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(host.origin);
  const authorization = `Bearer ${TOKENS.owner}`;
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        hostname,
        port,
        method,
        path: target,
        headers: { authorization, ...headers },
        agent: false,
      },
      (response) => {
        let text = "";
        response.on("data", (part) => (text += part));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text }),
        );
      },
    );
    request.on("error", reject);
    request.end();
  });
}

/** All endpoints of the API. */
const ENDPOINTS = [
  ["GET", LIST],
  ["POST", LIST],
  ["GET", `${LIST}/1`],
  ["GET", `${LIST}/1/archive`],
  ["DELETE", `${LIST}/1/archive`],
  ["DELETE", `${LIST}/1/repos/alpha/lock`],
  ["GET", `${LIST}/1/repositories`],
] as const;

const bodyOf = (verb: string): object | undefined =>
  verb === "POST" ? { repositories: ["beta"] } : undefined;

describe.each(ENDPOINTS)("%s %s", (verb, target) => {
  const refused = async (
    headers: Record<string, string>,
    status: number,
    message: string | RegExp,
  ): Promise<Answer> => {
    const before = await state();
    const answer = await call(host, verb, target, bodyOf(verb), headers);
    expect([answer.status, answer.json]).toMatchObject([
      status,
      {
        message:
          typeof message === "string"
            ? message
            : expect.stringMatching(message),
        documentation_url: expect.stringMatching(/^https:/),
        status: String(status),
      },
    ]);
    expect(answer.headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
    expect(await state()).toEqual(before);
    return answer;
  };

  test("requires a classic token of an owner", async () => {
    for (const authorization of ["", "Bearer", "Bearer ", "Basic eDp5", "x"])
      await refused({ authorization }, 401, "Requires authentication");
    for (const authorization of ["Bearer no", "token OWNER-TOKEN", "token x y"])
      await refused({ authorization }, 401, "Bad credentials");
    for (const token of [TOKENS.app, TOKENS.appUser])
      await refused(
        { authorization: `token ${token}` },
        403,
        "Resource not accessible by integration",
      );
    await refused(
      { authorization: `token ${TOKENS.fine}` },
      403,
      "Resource not accessible by personal access token",
    );
    await refused(
      { authorization: `token ${TOKENS.narrow}` },
      403,
      "The token must have the scopes admin:org.",
    );
    await refused(
      { authorization: `token ${TOKENS.member}` },
      404,
      "Not Found",
    );
    expect(host.lines.at(-1)).toMatchObject({
      event: "request",
      httpMethod: verb,
      method: expect.stringMatching(/^migration\.migrations\./),
      status: 404,
    });
    expect(JSON.stringify(host.lines)).not.toMatch(/-token|OWNER/);
  });

  test("requires a supported version", async () => {
    const asked = (version: string) => ({ "x-vendor-api-version": version });
    for (const version of ["v3", "1999-01-01", "2022-11-28, 2022-11-28"])
      await refused(
        asked(version),
        400,
        /is not a supported version\. .*"2022-11-28" \(most recent\)\.$/,
      );
  });
});

test.each(["a b", "a/b", "<script>", 'a"b', "x".repeat(300)])(
  "refuses the host %s",
  async (name) => {
    const { status, text } = await raw("GET", LIST, { host: name });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      message: "The Host header does not contain a valid host.",
    });
  },
);

test("accepts token schemes in any case and any vendor type; reports the selected version", async () => {
  for (const scheme of ["Bearer", "token", "TOKEN", "bearer"]) {
    const answer = await call(host, "GET", LIST, undefined, {
      authorization: `${scheme} ${TOKENS.owner}`,
      accept: "application/vnd.anything.v7+json",
      "x-vendor-api-version": "2022-11-28",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
    expect(answer.headers.get("x-vendor-api-version-selected")).toBe(
      "2022-11-28",
    );
  }
});

describe("bodies", () => {
  const post = (body: unknown): Promise<Answer> =>
    call(host, "POST", LIST, body);

  test.each([
    ["", 400],
    ["{", 400],
    ["[]", 400],
    ["null", 400],
    [' "x"', 400],
    ["-1", 400],
    ['{"repositories":["alpha"]} x', 400],
    [Buffer.from('{"repositories":["\xff"]}', "latin1"), 400],
    [Buffer.from('{"repositories":["alpha"],"\xff":1}', "latin1"), 400],
    ["[".repeat(1000), 400],
    [`{"repositories":"${'\\"'.repeat(500_000)}`, 400],
    [`{"repositories":"${'\\"'.repeat(500_000)}\\`, 400],
    [`{"repositories":[${'"alpha",'.repeat(200_000)}"alpha"]}`, 413],
  ])("that can't be parsed: %#", async (body, status) => {
    const before = await state();
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.json.status).toBe(String(status));
    expect(await state()).toEqual(before);
  });

  test.each([
    ['{"repositories":["alpha"],"repositories":["beta"]}', "repositories"],
    [
      '{"repositories":["a"],"lock_repositories":true, "lock\\u005frepositories" :false}',
      "lock_repositories",
    ],
    ['{"x":{"a":1,"a":2},"repositories":["}"],"x":"\\"]"}', "x"],
  ])("with a duplicate member: %s", async (body, field) => {
    const before = await state();
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toMatchObject([{ field, code: "invalid" }]);
    expect(await state()).toEqual(before);
  });

  const alpha = { repositories: ["alpha"] };
  test.each<[unknown, string, string]>([
    [{}, "repositories", "missing_field"],
    [{ repositories: null }, "repositories", "missing_field"],
    [{ repositories: "alpha" }, "repositories", "invalid"],
    [{ repositories: [1] }, "repositories[0]", "invalid"],
    [{ repositories: [] }, "repositories", "invalid"],
    [{ ...alpha, lock_repositories: "yes" }, "lock_repositories", "invalid"],
    [{ ...alpha, exclude_metadata: 1 }, "exclude_metadata", "invalid"],
    [{ ...alpha, exclude_attachments: [] }, "exclude_attachments", "invalid"],
    [{ ...alpha, exclude_releases: {} }, "exclude_releases", "invalid"],
    [
      { ...alpha, exclude_owner_projects: "" },
      "exclude_owner_projects",
      "invalid",
    ],
    [{ ...alpha, org_metadata_only: 0 }, "org_metadata_only", "invalid"],
    [{ ...alpha, org_metadata_only: true }, "repositories", "invalid"],
    [{ ...alpha, exclude: "repositories" }, "exclude", "invalid"],
    [{ ...alpha, exclude: ["x"] }, "exclude[0]", "invalid"],
    [
      { repositories: ["beta", "alpha", "ACME/Alpha"] },
      "repositories[2]",
      "invalid",
    ],
    [{ repositories: ["a", "b", "c", "d"] }, "repositories", "invalid"],
    ...[
      "",
      ".",
      "..",
      "../alpha",
      "acme/../alpha",
      "acme/",
      "/alpha",
      "acme/alpha/x",
      "other/gamma",
      "alpha\0",
      "alpha\r\nx: y",
      "-upload-pack",
      "--help",
      "alpha'; DROP TABLE migrations; --",
      "a".repeat(101),
      "älpha",
      "alpha%2f..",
      "\ud800",
    ].map((name): [unknown, string, string] => [
      { repositories: [name] },
      "repositories[0]",
      "invalid",
    ]),
  ])("that are invalid: %j", async (body, field, code) => {
    const before = await state();
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      message: "Validation Failed",
      documentation_url: expect.any(String),
      status: "422",
    });
    expect(answer.json.errors).toContainEqual({
      resource: "Migration",
      field,
      code,
      message: expect.any(String),
    });
    expect(await state()).toEqual(before);
  });

  test("with a repository that does not exist: 404", async () => {
    const before = await state();
    const answer = await post({ repositories: ["alpha", "none"] });
    expect([answer.status, answer.json.message]).toEqual([404, "Not Found"]);
    expect(await state()).toEqual(before);
  });
});

describe("parameters", () => {
  test.each([
    "per_page=0",
    "per_page=-1",
    "per_page=x",
    "per_page=",
    "per_page=1.5",
    "per_page=1&per_page=2",
    "page=0",
    "page=-1",
    "page=x",
    "page=1&page=2",
    "page=1%00",
    "page=%ff",
    "page=1'%20OR%201=1",
    "page=1%0d%0aset-cookie:%20x",
  ])("%s", async (query) => {
    for (const target of [LIST, `${LIST}/1/repositories`]) {
      const answer = await call(host, "GET", `${target}?${query}`);
      expect([target, answer.status]).toEqual([target, 422]);
      const [error] = answer.json.errors;
      expect(error).toMatchObject({
        code: "invalid",
        field: expect.stringMatching(/^(?:page|per_page|query)$/),
      });
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  test.each([
    "exclude=repositories",
    "exclude=repositories,x",
    "exclude=x&exclude=repositories",
    "exclude[]=repositories",
    "exclude%5B%5D=repositories",
  ])("%s leaves repositories out", async (query) => {
    const list = await call(host, "GET", `${LIST}?${query}`);
    expect(list.json[0]).not.toHaveProperty("repositories");
    const one = await call(host, "GET", `${LIST}/1?${query}`);
    expect(one.json).not.toHaveProperty("repositories");
  });
});

test("exclude in a body affects only the response", async () => {
  const body = { repositories: ["beta"], exclude: ["repositories"] };
  const { status, json } = await call(host, "POST", LIST, body);
  expect(status).toBe(201);
  expect(json).not.toHaveProperty("repositories");
  expect((await ended(host, json.id)).repositories).toHaveLength(1);
});

test.each([
  ["GET", "/orgs/none/migrations"],
  ["GET", "/orgs/other/migrations"],
  ["GET", "/orgs/acme%2f/migrations"],
  ["GET", "/orgs/acme%00/migrations"],
  ["GET", "/orgs/%2e%2e/migrations"],
  ["GET", "/orgs/../orgs/acme/migrations"],
  ["GET", "/orgs/acme/migrations/"],
  ["GET", "/orgs//migrations"],
  ["GET", "/orgs/%ff/migrations"],
  ["GET", "/orgs/__proto__/migrations"],
  ["GET", `/orgs/${"a".repeat(10_000)}/migrations`],
  ["GET", "/orgs/acme'%20OR%20'1'='1/migrations"],
  ["GET", `${LIST}/x`],
  ["GET", `${LIST}/0`],
  ["GET", `${LIST}/-1`],
  ["GET", `${LIST}/01`],
  ["GET", `${LIST}/1.0`],
  ["GET", `${LIST}/1%00`],
  ["GET", `${LIST}/2%2f..%2f1`],
  ["GET", `${LIST}/99999`],
  ["GET", `${LIST}/99999999999999999999999`],
  ["GET", `${LIST}/99999/archive`],
  ["GET", `${LIST}/1/../1/archive`],
  ["DELETE", `${LIST}/99999/archive`],
  ["DELETE", `${LIST}/1/repos/alpha%0d%0a/lock`],
  ["DELETE", `${LIST}/1/repos/..%2f..%2fother%2fgamma/lock`],
  ["DELETE", `${LIST}/1/repos/%ff/lock`],
  ["DELETE", `${LIST}/1/repos//lock`],
  ["GET", `${LIST}/99999/repositories`],
  ["GET", "/archives/../orgs/acme/migrations"],
  ["GET", "/archives/..%2f..%2fetc%2fpasswd"],
  ["GET", "/archives/%2e%2e/1.tar.gz"],
])("%s %s is 404", async (verb, target) => {
  const before = await state();
  const answer = await raw(verb, target);
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toMatchObject({ message: "Not Found" });
  expect(await state()).toEqual(before);
});

test("responds with 405 to other methods, and does not use an invalid host in URLs", async () => {
  for (const [verb, target] of [
    ["PUT", LIST],
    ["POST", `${LIST}/1`],
    ["GET", `${LIST}/1/repos/alpha/lock`],
  ] as const)
    expect((await raw(verb, target)).status).toBe(405);
  for (const name of ["a b", "x/y", "a@b", "<x>", "a,b"])
    expect((await raw("GET", `${LIST}/1`, { host: name })).text).not.toContain(
      name,
    );
  const named = await raw("GET", `${LIST}/1`, { host: "api.example.com" });
  expect(JSON.parse(named.text).url).toBe(
    "http://api.example.com/orgs/Acme/migrations/1",
  );
});

test("limits unfinished migrations of an organization", async () => {
  const small = await serve(root, undefined, { unfinished: 2, exports: 1 });
  const posts = Array.from({ length: 12 }, () =>
    call(small, "POST", LIST, { repositories: ["alpha"] }),
  );
  const answers = await Promise.all(posts);
  const spammed = answers.filter(({ status }) => status === 422);
  expect(spammed.length).toBeGreaterThan(0);
  expect(spammed[0]!.json.errors[0]).toMatchObject({ code: "unprocessable" });
  expect(answers.filter(({ status }) => status === 201).length).toBe(
    12 - spammed.length,
  );
  await small.close();
});
