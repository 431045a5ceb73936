import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  controlPlaneProblem,
  setOrganizationProperties,
  sendRequest,
} from "../../src/overrides/upgrade/control-plane.js";
import { proxyOf } from "../../src/platform/proxy.js";
import { forEachSeed } from "./support/seeds.js";

describe("the cloud token", () => {
  test.each([
    ["https://apigee.googleapis.com", false, undefined],
    ["https://apigee.googleapis.com/", false, undefined],
    ["https://eu-apigee.googleapis.com", false, undefined],
    ["http://apigee.googleapis.com", false, "must be an https URL"],
    ["https://apigee.googleapis.com:8443", false, "not a known control plane"],
    ["https://apigee.googleapis.com.evil.example", false, "not a known"],
    ["https://evilapigee.googleapis.com", false, "not a known"],
    ["https://evil.example/apigee.googleapis.com", false, "evil.example"],
    [
      "https://apigee.googleapis.com@evil.example",
      false,
      "without credentials",
    ],
    ["https://user:secret@apigee.googleapis.com", false, "without credentials"],
    ["https://apigee.googleapis.com?x=", false, "without credentials"],
    ["apigee.googleapis.com", false, "must be a URL"],
    ["javascript:alert(1)", false, "must be an https URL"],
    ["https://plane.example", true, undefined],
    ["http://plane.example", true, "must be an https URL"],
    ["http://127.0.0.1:8080", true, undefined],
    ["http://[::1]:8080", true, undefined],
    ["http://127.0.0.1:8080", false, "must be an https URL"],
    ["http://127.0.0.1.evil.example", true, "must be an https URL"],
  ])("%s, explicit %s: %s", (url, isExplicit, problem) => {
    const found = controlPlaneProblem(url, isExplicit);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
    expect(found ?? "").not.toContain("secret");
  });

  test("is sent only to hosts of the vendor if the URL is from a file", () =>
    forEachSeed((random) => {
      const pieces =
        "https:// http:// // @ : / . ? # \\ apigee googleapis .com evil.example - %00 apigee.googleapis.com xn-- 。 user:pw@ [::1] 443".split(
          " ",
        );
      const count = 1 + random.int(6);
      const text =
        (random.chance(0.5) ? "https://" : "") +
        Array.from({ length: count }, () => random.pick(pieces)).join("");
      if (controlPlaneProblem(text, false) !== undefined) return;
      const { protocol, host } = new URL(text);
      expect(protocol).toBe("https:");
      expect(host).toMatch(/^([a-z0-9-]+-)?apigee\.googleapis\.com$/);
    }));

  test("does not follow a redirect", async () => {
    const seen: IncomingMessage[] = [];
    const url = await serve((request) => {
      seen.push(request);
      return { status: 302, location: "http://127.0.0.1:1/" };
    });
    await expect(
      setOrganizationProperties(url, "example", ["a"], "token"),
    ).rejects.toThrow("responded with 302");
    expect(seen).toHaveLength(1);
  });

  test.each(["null", "[", '{"properties":{"property":7}}', "<html>"])(
    "%s is not an organization",
    async (body) => {
      const url = await serve(() => ({ status: 200, body }));
      await expect(
        setOrganizationProperties(url, "example", ["a"], "token"),
      ).rejects.toThrow("must be an organization in JSON format");
    },
  );
});

async function serve(
  respond: (request: IncomingMessage) => {
    readonly status: number;
    readonly location?: string;
    readonly body?: string;
  },
): Promise<string> {
  const server = createServer((request, response) => {
    const { status, location, body } = respond(request);
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe("proxies", () => {
  const url = new URL("https://apigee.googleapis.com/v1");

  test.each([
    [{}, undefined],
    [{ HTTPS_PROXY: "http://proxy:3128" }, "proxy:3128"],
    [{ https_proxy: "proxy:3128" }, "proxy:3128"],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "a, .googleapis.com" }, undefined],
    [
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "apigee.googleapis.com" },
      undefined,
    ],
    [{ HTTPS_PROXY: "http://p:1", no_proxy: "*" }, undefined],
    [{ HTTPS_PROXY: "http://p:1", NO_PROXY: "apis.com" }, "p:1"],
  ])("%j", (env, host) => {
    expect(proxyOf(url, env)?.host).toBe(host);
    expect(proxyOf(new URL("http://127.0.0.1/"), env)).toBeUndefined();
  });

  test("a value that is not a URL is not shown", () => {
    const env = { HTTPS_PROXY: "ftp://user:secret@proxy" };
    expect(() => proxyOf(url, env)).toThrow("HTTPS_PROXY must be an http");
    expect(() => proxyOf(url, env)).not.toThrow("secret");
  });

  test("a proxy receives CONNECT with its credentials, and never the token", async () => {
    const seen: { target: string; login: string; bytes: string }[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      const entry = {
        target: request.url ?? "",
        login: request.headers["proxy-authorization"] ?? "",
        bytes: "",
      };
      seen.push(entry);
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.on("data", (chunk: Buffer) => {
        entry.bytes += chunk.toString("latin1");
        socket.end();
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as { port: number };
    const sent = sendRequest(url, {
      method: "GET",
      headers: { authorization: "Bearer token-1" },
      timeout: 20_000,
      env: { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${port}` },
    });
    await expect(sent).rejects.toThrow();
    expect(seen).toMatchObject([
      {
        target: "apigee.googleapis.com:443",
        login: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
      },
    ]);
    // The first bytes are those of a TLS handshake.
    expect(seen[0]!.bytes.charCodeAt(0)).toBe(22);
    expect(seen[0]!.bytes).not.toContain("token-1");
  });

  test("the message for a failed tunnel names the proxy without its credentials", async () => {
    const proxy = createServer();
    proxy.on("connect", (_, socket) => {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as { port: number };
    const sent = sendRequest(url, {
      method: "GET",
      headers: {},
      timeout: 20_000,
      env: { HTTPS_PROXY: `http://user:secret@127.0.0.1:${port}` },
    });
    await expect(sent).rejects.toThrow(
      `127.0.0.1:${port}: Proxy response (407)`,
    );
    await expect(sent).rejects.not.toThrow("secret");
  });
});
