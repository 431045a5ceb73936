import { writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { mock, type Mock } from "../../src/index.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { PRESS } from "./press.js";

/** Document whose only path exists in both hosts. */
function pages(name: string, version: string, rootUrl: string): object {
  return description({
    name,
    version,
    rootUrl,
    servicePath: "",
    title: `${name} ${version}`,
    schemas: {
      Page: {
        id: "Page",
        type: "object",
        properties: { name: { type: "string" }, title: { type: "string" } },
      },
    },
    resources: {
      pages: {
        methods: {
          get: {
            id: `${name}.pages.get`,
            path: "v1/pages/{page}",
            httpMethod: "GET",
            parameters: {
              page: { type: "string", location: "path", required: true },
            },
            response: { $ref: "Page" },
          },
        },
      },
    },
  });
}

async function start(options: object = {}): Promise<{
  readonly fake: Mock;
  readonly get: (
    target: string,
    host?: string,
  ) => Promise<{ status: number; body: any }>;
}> {
  const specs = [
    path.join(ROOT, "specs/chat.v1.json"),
    path.join(ROOT, "test/compile/library.v1.json"),
  ];
  const fake = await mock(specs, options);
  onTestFinished(() => fake.close());
  const { port } = await fake.listen();
  return { fake, get: (target, host) => get(port, target, host) };
}

function get(
  port: number,
  target: string,
  host: string = `127.0.0.1:${port}`,
): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port, path: target, headers: { host } })
      .on("error", reject)
      .on("response", async (response) => {
        let text = "";
        for await (const chunk of response) text += String(chunk);
        const body = text.startsWith("{") ? JSON.parse(text) : text;
        resolve({ status: response.statusCode!, body });
      });
  });
}

describe("descriptions", () => {
  test("of a single API have the caller's origin", async () => {
    const fake = await mock(PRESS);
    onTestFinished(() => fake.close());
    const { rootUrl } = await fake.listen();
    for (const target of [
      "$discovery/rest?version=v1",
      "$discovery/rest",
      "%24discovery/rest?version=v1",
      "discovery/v1/apis/press/v1/rest",
    ]) {
      const response = await fetch(rootUrl + target);
      expect(response.status).toBe(200);
      const document = (await response.json()) as Record<string, unknown>;
      expect(document).toMatchObject({
        name: "press",
        rootUrl,
        baseUrl: rootUrl,
        servicePath: "",
      });
      expect(document["resources"]).toEqual(PRESS["resources"]);
    }
    for (const target of [
      "$discovery/rest?version=v2",
      "discovery/v1/apis/press/v2/rest",
    ])
      expect((await fetch(rootUrl + target)).status).toBe(404);
  });

  test("of several APIs are in a list, and on their hosts", async () => {
    const { get: send } = await start({ prefix: true });
    const { body: list } = await send("/discovery/v1/apis");
    expect(list.items.map(({ id }: any) => id)).toEqual([
      "chat:v1",
      "library:v1",
    ]);
    for (const { discoveryRestUrl, name } of list.items) {
      const { body } = await send(new URL(discoveryRestUrl).pathname);
      expect(body.name).toBe(name);
      expect(new URL(body.rootUrl).pathname).toBe(`/${name}/v1/`);
    }
    const { body } = await send(
      "/$discovery/rest?version=v1",
      "chat.localhost",
    );
    expect(body).toMatchObject({ name: "chat" });
    expect(body.rootUrl).toBe("http://chat.localhost/chat/v1/");
    expect((await send("/$discovery/rest?version=v1")).status).toBe(404);
  });

  test("let a client be generated that calls the mock", async () => {
    const fake = await mock(PRESS);
    onTestFinished(() => fake.close());
    const { rootUrl } = await fake.listen();
    const document = (await (
      await fetch(`${rootUrl}$discovery/rest`)
    ).json()) as Record<string, unknown>;
    const again = await mock(document);
    const target = "/v1/shelves/s/books/b";
    const [one, two] = await Promise.all(
      [fake, again].map(async ({ fetch: send }) =>
        (await send(`http://m${target}`)).json(),
      ),
    );
    expect(two).toEqual(one);
  });
});

describe("host names", () => {
  test("select the API", async () => {
    const fake = await mock(twins());
    onTestFinished(() => fake.close());
    const { port } = await fake.listen();
    const target = "/v1/pages/p";
    const statuses = await Promise.all(
      [
        "one.localhost",
        `two.localhost:${port}`,
        "one.example.com",
        "127.0.0.1",
        "attacker.example",
      ].map(async (host) => (await get(port, target, host)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 421, 421]);
    await get(port, target, "two.localhost");
    const methods = fake.requests().map(({ method }) => method);
    expect(methods.filter((id) => id === "one.pages.get")).toHaveLength(2);
    expect(methods.filter((id) => id === "two.pages.get")).toHaveLength(2);
    const { body } = await get(port, target);
    expect(body.error.message).toContain(
      "use the host name one.localhost or two.localhost, or start the mock with --prefix",
    );
  });
});

/** Files with two documents whose paths conflict, but not their hosts. */
function twins(): string[] {
  const cwd = temporaryFolder();
  return ["one", "two"].map((name) => {
    const file = path.join(cwd, `${name}.json`);
    const document = pages(name, "v1", `https://${name}.example.com/`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
}
