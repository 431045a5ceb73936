import { child, type DocumentPath } from "../../model/build/context.js";
import type { DocumentView } from "../document-view.js";
import { quoted, type Rule } from "../rule.js";

/** Rules about the URLs of the API. */
export const urlRules: readonly Rule[] = [
  {
    id: "url-invalid",
    severity: "warning",
    cause: "The value is not an absolute http or https URL.",
    fix: "Correct the URL.",
    check(view, report) {
      for (const { key, url, at } of urlsOf(view))
        if (!/^https?:$/.test(protocolOf(url) ?? ""))
          report(`${key} must be an absolute URL, found ${quoted(url)}`, at);
    },
  },
  {
    id: "url-insecure",
    severity: "warning",
    cause: "Requests to an http URL send credentials without encryption.",
    fix: "Use https.",
    check(view, report) {
      for (const { key, url, at } of urlsOf(view))
        if (key !== "documentationLink" && isInsecure(url))
          report(`${key} ${quoted(url)} is not an https URL`, at);
    },
  },
  {
    id: "url-inconsistent",
    severity: "warning",
    cause:
      "baseUrl must consist of rootUrl and servicePath, and basePath must be the path of baseUrl, because each client reads only some of these fields.",
    fix: "Correct the fields so that they describe the same URL.",
    check({ document }, report) {
      const { rootUrl, servicePath, baseUrl, basePath } = document;
      if (rootUrl === undefined || servicePath === undefined) return;
      const expected = `${rootUrl}${servicePath}`;
      if (baseUrl !== undefined && baseUrl !== expected)
        report(
          `baseUrl must be ${quoted(expected)}, found ${quoted(baseUrl)}`,
          child(undefined, "baseUrl"),
        );
      const path = pathOf(expected);
      if (hasOtherPath(basePath, path))
        report(
          `basePath must be ${quoted(path)}, found ${quoted(basePath)}`,
          child(undefined, "basePath"),
        );
    },
  },
];

interface UrlField {
  readonly key: string;
  readonly url: string;
  readonly at: DocumentPath;
}

function urlsOf({ document }: DocumentView): UrlField[] {
  const keys = [
    "rootUrl",
    "mtlsRootUrl",
    "baseUrl",
    "documentationLink",
  ] as const;
  const fields = keys.flatMap((key): UrlField[] => {
    const url = document[key];
    // An empty documentationLink is accepted, because it is common for APIs
    // without public documentation.
    return url === undefined || (key === "documentationLink" && url === "")
      ? []
      : [{ key, url, at: child(undefined, key) }];
  });
  const endpoints = (document.endpoints ?? []).flatMap(
    ({ endpointUrl: url }, index): UrlField[] =>
      url === undefined
        ? []
        : [
            {
              key: "endpointUrl",
              url,
              at: child(undefined, "endpoints", index, "endpointUrl"),
            },
          ],
  );
  return [...fields, ...endpoints];
}

function protocolOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).protocol : undefined;
}

function isInsecure(url: string): boolean {
  if (protocolOf(url) !== "http:") return false;
  return !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(
    new URL(url).hostname,
  );
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).pathname : undefined;
}

/**
 * Tests whether basePath differs from the expected path. Of a complete URL,
 * only the path is compared. An empty basePath is accepted, because some
 * documents use it instead of `/`.
 */
function hasOtherPath(
  basePath: string | undefined,
  path: string | undefined,
): boolean {
  if (basePath === undefined || basePath === "" || path === undefined)
    return false;
  return (pathOf(basePath) ?? basePath) !== path;
}
