import { ok, warning, type Check } from "./check.js";

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/**
 * Reports the names of the proxy variables that are set. Their values are never
 * printed, because they can contain credentials.
 */
export const proxyCheck: Check = {
  name: "proxy",
  run: ({ env }) => {
    const names = [...PROXIES, "NO_PROXY"]
      .flatMap((name) => [name, name.toLowerCase()])
      .filter((name) => (env[name] ?? "") !== "");
    if (names.length === 0) return [ok("no proxy variable is set")];
    const invalid = names.filter(
      (name) => PROXIES.includes(name.toUpperCase()) && !isProxyUrl(env[name]!),
    );
    return [
      ok(`set: ${names.join(", ")}`),
      ...invalid.map((name) =>
        warning(`${name} is not an http(s) URL`, `Correct or unset ${name}.`),
      ),
    ];
  },
};

function isProxyUrl(text: string): boolean {
  const url = text.includes("://") ? text : `http://${text}`;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
