import http from "node:http";
import express from "express";
import { Hono } from "hono";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  describeApis,
  listen,
  toExpress,
  toHono,
  type DescribedApi,
  type DescriptionOptions,
  type Server,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { loadServer, spec, type CreateServer } from "./generated.js";

const CHAT = spec("chat.v1");
const MARKETPLACE = spec("marketplace.v1");

let createChat: CreateServer;
let createMarketplace: CreateServer;
beforeAll(async () => {
  createChat = await loadServer(CHAT);
  createMarketplace = await loadServer(MARKETPLACE);
});

function chat(
  options: ServerOptions & DescriptionOptions = {},
  apis: DescribedApi | readonly DescribedApi[] = { document: CHAT },
): Server {
  const { hosts, ...rest } = options;
  return createChat(
    {},
    { ...rest, descriptions: describeApis(apis, { hosts }) },
  );
}

async function get(
  server: Pick<Server, "fetch">,
  url: string,
  init?: RequestInit,
): Promise<{ status: number; body: any }> {
  const response = await server.fetch(new Request(url, init));
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

describe("a server with the option descriptions", () => {
  test.each([
    "$discovery/rest",
    "$discovery/rest?version=v1",
    "%24discovery/rest?version=v1",
    "discovery/v1/apis/chat/v1/rest",
  ])("serves its own at %s", async (target) => {
    const root = "http://127.0.0.1:8080/";
    const { status, body } = await get(chat(), root + target);
    expect(status).toBe(200);
    const {
      rootUrl: _,
      baseUrl: __,
      basePath: ___,
      ...rest
    } = JSON.parse(CHAT);
    const { servicePath } = rest;
    expect(body).toEqual({
      ...rest,
      rootUrl: root,
      baseUrl: root + servicePath,
      basePath: `/${servicePath}`,
    });
  });

  test("serves a parsed document as its text", async () => {
    const url = "http://localhost/$discovery/rest";
    const parsed = chat({}, { document: JSON.parse(CHAT) as object });
    expect(await get(parsed, url)).toEqual(await get(chat(), url));
  });

  test("adds its base path", async () => {
    const server = chat({ basePath: "/apis/" });
    const { body } = await get(server, "http://localhost/apis/$discovery/rest");
    expect(body.rootUrl).toBe("http://localhost/apis/");
    const { body: list } = await get(
      server,
      "http://localhost/apis/discovery/v1/apis",
    );
    expect(list.items[0].discoveryRestUrl).toBe(
      "http://localhost/apis/discovery/v1/apis/chat/v1/rest",
    );
    expect(server.serves("/apis/$discovery/rest")).toBe(true);
    expect(server.serves("/$discovery/rest")).toBe(false);
  });

  test("omits URLs of other servers", async () => {
    const document = {
      ...(JSON.parse(CHAT) as object),
      mtlsRootUrl: "https://chat.mtls.example.com/",
      endpoints: [{ endpointUrl: "https://chat.eu.example.com/" }],
    };
    const server = chat({}, { document });
    const { body } = await get(server, "http://localhost/$discovery/rest");
    expect(JSON.stringify(body)).not.toContain('example.com/"');
    expect(body).not.toHaveProperty("endpoints");
  });

  test.each([
    ["GET", "$discovery/rest?version=v2"],
    ["GET", "discovery/v1/apis/chat/v2/rest"],
    ["GET", "discovery/v1/apis/__proto__/v1/rest"],
    ["GET", "discovery/v1/apis/"],
    ["POST", "$discovery/rest"],
  ])("has no other: %s %s", async (method, target) => {
    const url = `http://localhost/${target}`;
    expect((await get(chat(), url, { method })).status).toBe(404);
  });

  test("responds to HEAD without a body", async () => {
    const url = "http://localhost/$discovery/rest";
    const result = await get(chat(), url, { method: "HEAD" });
    expect(result).toEqual({ status: 200, body: undefined });
  });

  test("runs its hooks", async () => {
    const statuses: number[] = [];
    const server = chat({
      log: ({ status }) => statuses.push(status),
      cors: { origins: "*" },
      headers: () => ({ "x-version": "1" }),
    });
    const response = await server.fetch(
      new Request("http://localhost/discovery/v1/apis", {
        headers: { origin: "http://page.example" },
      }),
    );
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("x-version")).toBe("1");
    expect(statuses).toEqual([200]);
  });

  test("serves nothing without the option", async () => {
    const { status } = await get(
      createChat({}),
      "http://localhost/$discovery/rest",
    );
    expect(status).toBe(404);
  });
});

describe("several APIs", () => {
  const apis = [
    { document: CHAT, basePath: "/chat/" },
    { document: MARKETPLACE, basePath: "/shop" },
  ];

  test("are in the list, each with its base path", async () => {
    const server = chat({ basePath: "/chat" }, apis);
    const { body } = await get(
      server,
      "http://localhost/chat/discovery/v1/apis",
    );
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([
      "chat:v1",
      "marketplace:v1",
    ]);
    const roots = await Promise.all(
      body.items.map(
        async ({ discoveryRestUrl }: { discoveryRestUrl: string }) =>
          (await get(server, discoveryRestUrl)).body.rootUrl,
      ),
    );
    expect(roots).toEqual(["http://localhost/chat/", "http://localhost/shop/"]);
  });

  test("have a description on their own host", async () => {
    const server = chat({}, apis);
    const target = "$discovery/rest?version=v1";
    const send = (host: string) =>
      get(server, `http://${host}/${target}`, { headers: { host } });
    expect((await send("marketplace.localhost")).body.name).toBe("marketplace");
    expect((await send("chat.localhost")).body.name).toBe("chat");
    expect((await send("localhost")).status).toBe(404);
  });
});

describe("the Host header", () => {
  const target = "/$discovery/rest";

  async function send(
    options: ServerOptions & DescriptionOptions,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const { port, close } = await listen(http, chat(options));
    onTestFinished(() => close());
    return new Promise((resolve, reject) => {
      http
        .get({ port, path: target, headers })
        .on("error", reject)
        .on("response", async (response) => {
          let text = "";
          for await (const chunk of response) text += String(chunk);
          resolve({ status: response.statusCode!, text });
        });
    });
  }

  test.each([
    "attacker.example",
    "attacker.example:80",
    "localhost.attacker.example",
    "127.0.0.1.attacker.example",
    "127.0.0.1@attacker.example",
    "attacker.example/localhost",
    "[::2]",
  ])("%s is never in a description", async (host) => {
    const { text } = await send({}, { host });
    expect(text).not.toContain("attacker");
    expect(text).not.toContain("[::2]");
  });

  test("with a forged name results in 421", async () => {
    const { status, text } = await send({}, { host: "attacker.example" });
    expect(status).toBe(421);
    expect(text).toContain("Add it to `hosts` of describeApis");
  });

  test("can have a listed name", async () => {
    const hosts = ["API.example.com"];
    const { text } = await send({ hosts }, { host: "api.example.com:8443" });
    expect(JSON.parse(text)).toMatchObject({
      rootUrl: "http://api.example.com:8443/",
    });
    const { status } = await send({ hosts }, { host: "b.example.com" });
    expect(status).toBe(421);
  });

  test("is not used with a fixed origin", async () => {
    const origin = "https://api.example.com";
    const { text } = await send({ origin }, { host: "attacker.example" });
    expect(JSON.parse(text)).toMatchObject({ rootUrl: `${origin}/` });
  });

  test("of a trusted proxy is checked too", async () => {
    const options = { trustProxy: true, hosts: ["api.example.com"] };
    const host = "10.0.0.1";
    const good = await send(options, {
      host,
      "x-forwarded-host": "api.example.com",
      "x-forwarded-proto": "https",
    });
    expect(JSON.parse(good.text)).toMatchObject({
      rootUrl: "https://api.example.com/",
    });
    const forged = { host, "x-forwarded-host": "attacker.example" };
    expect((await send(options, forged)).status).toBe(421);
    expect((await send({}, { ...forged, host: "localhost" })).text).toContain(
      '"rootUrl":"http://localhost/"',
    );
  });
});

describe("frameworks", () => {
  test("Express: mounted servers describe themselves", async () => {
    const app = express();
    const shop = createMarketplace(
      {},
      { descriptions: describeApis({ document: MARKETPLACE }) },
    );
    app.use("/chat", toExpress(chat(), { fallThrough: true }));
    app.use("/shop", toExpress(shop, { fallThrough: true }));
    const node = app.listen(0, "127.0.0.1");
    onTestFinished(() => void node.close());
    await new Promise((resolve) => node.once("listening", resolve));
    const { port } = node.address() as { port: number };
    for (const name of ["chat", "shop"]) {
      const base = `http://127.0.0.1:${port}/${name}/`;
      const response = await fetch(`${base}$discovery/rest`);
      expect(await response.json()).toMatchObject({ rootUrl: base });
    }
  });

  test("Hono: requests for descriptions do not fall through", async () => {
    const app = new Hono();
    const server = chat({ basePath: "/api" });
    app.all("/api/*", toHono(server, { fallThrough: true }));
    const response = await app.request("http://localhost/api/$discovery/rest");
    expect(await response.json()).toMatchObject({
      rootUrl: "http://localhost/api/",
    });
  });
});

test("the document must be a description", () => {
  expect(() => describeApis({ document: {} })).toThrow(
    new TypeError("The description must have the members name and version."),
  );
  expect(() => describeApis({ document: "null" })).toThrow(TypeError);
  expect(() => describeApis({ document: "{" })).toThrow(SyntaxError);
});
