import { expect, test } from "vitest";
import { proxyAuthorization, proxyOf } from "../../../src/platform/proxy.js";

const PROXY = "http://proxy.example:3128";

test.each<[string, Record<string, string>, string | undefined]>([
  ["https://a.example/", { HTTPS_PROXY: PROXY }, "proxy.example:3128"],
  [
    "https://a.example/",
    { https_proxy: "other:1", HTTPS_PROXY: PROXY },
    "other:1",
  ],
  ["https://a.example/", { HTTP_PROXY: PROXY }, undefined],
  ["http://a.example/", { HTTP_PROXY: PROXY }, "proxy.example:3128"],
  ["https://a.example/", { HTTPS_PROXY: "" }, undefined],
  ["https://a.example/", { HTTPS_PROXY: PROXY, NO_PROXY: "*" }, undefined],
  [
    "https://a.example/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "A.example" },
    undefined,
  ],
  [
    "https://a.example/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "b.example, .example" },
    undefined,
  ],
  [
    "https://a.example/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "*.example" },
    undefined,
  ],
  [
    "https://aexample/",
    { HTTPS_PROXY: PROXY, NO_PROXY: ".example" },
    "proxy.example:3128",
  ],
  [
    "https://a.example/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "a.example:443" },
    undefined,
  ],
  [
    "https://a.example:8443/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "a.example:443" },
    "proxy.example:3128",
  ],
  [
    "https://[fd00::1]/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "fd00::1" },
    undefined,
  ],
  [
    "https://[fd00::1]/",
    { HTTPS_PROXY: PROXY, NO_PROXY: "[fd00::1]:443" },
    undefined,
  ],
])("%s with %j", (url, env, host) => {
  expect(proxyOf(new URL(url), env)?.host).toBe(host);
});

test("an invalid proxy is not shown", () => {
  const env = { HTTP_PROXY: "socks://user:secret@proxy" };
  expect(() => proxyOf(new URL("http://a.example"), env)).toThrow(
    "HTTP_PROXY must be an http or https URL",
  );
});

test("credentials are decoded", () => {
  const header = (url: string): string | undefined =>
    proxyAuthorization(new URL(url));
  expect(header("http://u%40x:p%3A@proxy/")).toBe(
    `Basic ${Buffer.from("u@x:p:").toString("base64")}`,
  );
  expect(header("http://u:%zz@proxy/")).toBe(
    `Basic ${Buffer.from("u:%zz").toString("base64")}`,
  );
  expect(header("http://proxy/")).toBeUndefined();
});
