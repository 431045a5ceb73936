import { child } from "../../model/build/context.js";
import { closest } from "../../diagnostics/closest.js";
import { EXTENSION_KEYS } from "../../load/extensions.js";
import { quoted, type Rule } from "../rule.js";

/** Maximum length of a key that is compared with the names of extensions. */
const MAX_KEY = 30;

/** Maximum number of keys that are compared with the names of extensions. */
const MAX_KEYS = 10_000;

/** Rules about methods and resources. */
export const methodRules: readonly Rule[] = [
  {
    id: "request-unexpected",
    severity: "warning",
    cause:
      "GET and HEAD requests have no body (RFC 9110 §9.3.1); fetch rejects them, and proxies drop the body.",
    fix: "Use POST, or move the members to query parameters.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods) {
        const httpMethod = raw.httpMethod?.toUpperCase();
        const hasBody = Object.keys(raw.request ?? {}).length > 0;
        if (hasBody && (httpMethod === "GET" || httpMethod === "HEAD"))
          report(
            `${id} is a ${httpMethod} with a request body`,
            child(at, "request"),
          );
      }
    },
  },
  {
    id: "resource-empty",
    severity: "info",
    cause: "The resource contains neither methods nor resources.",
    fix: "Remove the resource.",
    check({ resources }, report) {
      for (const { path, raw, at } of resources)
        if (isEmpty(raw.methods) && isEmpty(raw.resources))
          report(`resource ${path.join(".")} is empty`, at);
    },
  },
  {
    id: "parameter-shadowed",
    severity: "info",
    cause:
      "The method declares a parameter with the same name as a common parameter, so clients must rename one of them.",
    fix: "Remove the parameter from the method, or give it a different name.",
    check({ parameters, document }, report) {
      const common = document.parameters ?? {};
      for (const { method, name, label, at } of parameters)
        if (method !== undefined && Object.hasOwn(common, name))
          report(`${label} has the same name as a common parameter`, at);
    },
  },
  {
    id: "extension-unknown",
    severity: "warning",
    cause:
      "The key is similar to the name of an extension of this generator but differs from it, so the key has no effect.",
    fix: "Correct the spelling; specs/README.md lists the extensions.",
    check({ document, methods, schemas }, report) {
      const nodes = [
        { raw: document as object, at: undefined },
        ...methods,
        ...schemas,
      ];
      const similarKeys = new Map<string, string | undefined>();
      for (const { raw, at } of nodes)
        for (const key in raw) {
          if (!similarKeys.has(key) && similarKeys.size < MAX_KEYS)
            similarKeys.set(key, similarExtension(key));
          const similar = similarKeys.get(key);
          if (similar !== undefined)
            report(
              `unknown key ${quoted(key)} (did you mean ${similar}?)`,
              child(at, key),
            );
        }
    },
  },
];

function isEmpty(members: object | undefined): boolean {
  return members === undefined || Object.keys(members).length === 0;
}

/**
 * Returns the extension that was probably meant by a misspelled key; undefined
 * if none is similar.
 */
function similarExtension(key: string): string | undefined {
  if (!/^x[-_]/i.test(key) || key.length > MAX_KEY) return undefined;
  if (EXTENSION_KEYS.includes(key)) return undefined;
  const name = key.slice(2).toLowerCase();
  const names = EXTENSION_KEYS.map((known) => known.slice(2));
  const similar = closest(name, names);
  return similar === undefined ? undefined : `x-${similar}`;
}
