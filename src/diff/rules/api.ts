// This file is longer than 400 lines because it contains all rules about an API as
// a whole: endpoints, labels, scopes, resources, common parameters.
import { isObject } from "../../diagnostics/json.js";
import { escapeToken } from "../../diagnostics/types.js";
import { canonicalDocument, sortedKeys } from "../../load/canonical.js";
import type { Api, Resource } from "../../model/ir.js";
import { apiTitle } from "../../model/names.js";
import { apiFolder } from "../../targets/shared/api-folder.js";
import { fingerprintOf, isSameJson, listed, quoted } from "../words.js";
import { missingItems, rulesAbout, type Documents } from "../rule.js";
import type { Side } from "../side.js";
import { matchMethods, shapeOf, urlPath } from "../walk/match-methods.js";

const { added, removed } = rulesAbout("document");
const { changed } = rulesAbout("api");

/** Rules about APIs that only one of two sets of documents contains. */
export const documentRules = [
  added({
    id: "api-added",
    summary: "An API was added to the set of documents.",
    verdict: ["info", "info", "info"],
    find: () => "the API was added",
  }),
  removed({
    id: "api-removed",
    summary: "An API was removed from the set of documents.",
    verdict: ["breaking", "breaking", "breaking"],
    find: () => "the API was removed",
  }),
];

const INFORMATION = [
  "title",
  "description",
  "labels",
  "documentationLink",
] as const;

/**
 * Fields that the rule `document-field-changed` ignores, such as `etag` and
 * fields that other rules compare.
 */
const COVERED = new Set(
  "auth basePath baseUrl batchPath canonicalName description documentationLink endpoints etag features fullyEncodeReservedExpansion id kind labels methods name parameters resources restBasePath revision rootUrl schemas servicePath title version".split(
    " ",
  ),
);

/** Extensions (`x-` fields) that affect requests or responses. */
const EFFECTIVE = /^x-(?:credential|errors|headers|response-headers)$/;

/** Rules about members of a document outside of methods and schemas. */
export const apiRules = [
  changed({
    id: "root-url-changed",
    summary: "The `rootUrl` of the document changed.",
    reason: "Deployed clients send requests to the old host.",
    verdict: ["breaking", "info", "info"],
    below: "/rootUrl",
    find: (old, now) =>
      old.rootUrl !== now.rootUrl && {
        text: `rootUrl changed from ${quoted(old.rootUrl)} to ${quoted(now.rootUrl)}`,
        detail: now.rootUrl,
      },
  }),
  changed({
    id: "service-path-changed",
    summary: "The `servicePath` of the document changed.",
    reason:
      "For clients, the severity is `info` if the paths of the methods also changed and the full URLs are the same.",
    verdict: ["breaking", "info", "info"],
    below: "/servicePath",
    find: (old, now, documents) =>
      old.servicePath !== now.servicePath && {
        text: `servicePath changed from ${quoted(old.servicePath)} to ${quoted(now.servicePath)}`,
        detail: now.servicePath,
        // Callers are not affected if a path prefix was only moved between
        // servicePath and the paths of the methods, because the full paths are
        // unchanged.
        verdict: hasSamePaths(documents) ? { client: "info" } : undefined,
      },
  }),
  changed({
    id: "batch-path-changed",
    summary: "The path of batch requests changed.",
    verdict: ["breaking", "info", "info"],
    below: "/batchPath",
    find: (old, now) =>
      old.batchPath !== undefined &&
      now.batchPath !== undefined &&
      old.batchPath !== now.batchPath && {
        text: `batchPath changed from ${quoted(old.batchPath)} to ${quoted(now.batchPath)}`,
        detail: now.batchPath,
      },
  }),
  changed({
    id: "batch-path-removed",
    kind: "removed",
    summary: "The API no longer accepts batch requests.",
    reason: "The output no longer contains `client.batch()`.",
    verdict: ["breaking", "info", "breaking"],
    below: "/batchPath",
    find: (old, now) =>
      old.batchPath !== undefined &&
      now.batchPath === undefined &&
      "batchPath was removed",
  }),
  changed({
    id: "endpoint-removed",
    kind: "removed",
    summary: "An endpoint for a location was removed.",
    reason: "The client option `location` no longer accepts the location.",
    verdict: ["warning", "info", "breaking"],
    below: "/endpoints",
    find: (old, now) =>
      missingItems(
        old.endpoints,
        now.endpoints,
        ({ location }) => location,
      ).map(({ location }) => ({
        text: `the endpoint for ${quoted(location)} was removed`,
        detail: location,
      })),
  }),
  changed({
    id: "endpoint-changed",
    summary: "The URL of the endpoint for a location changed.",
    verdict: ["warning", "info", "info"],
    below: "/endpoints",
    find: (old, now) =>
      now.endpoints
        .filter(({ location, url }) =>
          old.endpoints.some(
            (before) => before.location === location && before.url !== url,
          ),
        )
        .map(({ location, url }) => ({
          text: `the endpoint for ${quoted(location)} changed to ${quoted(url)}`,
          detail: `${location} ${url}`,
        })),
  }),
  changed({
    id: "endpoint-added",
    kind: "added",
    summary: "An endpoint for a location was added.",
    verdict: ["info", "info", "info"],
    below: "/endpoints",
    find: (old, now) =>
      missingItems(
        now.endpoints,
        old.endpoints,
        ({ location }) => location,
      ).map(({ location }) => ({
        text: `an endpoint for ${quoted(location)} was added`,
        detail: location,
      })),
  }),
  changed({
    id: "endpoint-deprecated",
    kind: "deprecated",
    summary: "The endpoint for a location was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/endpoints",
    find: (old, now) =>
      deprecatedEndpoints(now, old).map((location) => ({
        text: `the endpoint for ${quoted(location)} was deprecated`,
        detail: location,
      })),
  }),
  changed({
    id: "endpoint-undeprecated",
    summary: "The deprecation of the endpoint for a location was removed.",
    verdict: ["info", "info", "info"],
    below: "/endpoints",
    find: (old, now) =>
      deprecatedEndpoints(old, now).map((location) => ({
        text: `the endpoint for ${quoted(location)} is no longer deprecated`,
        detail: location,
      })),
  }),
  changed({
    id: "endpoint-description-changed",
    kind: "text",
    summary:
      "The description of the endpoint for a location was added, changed or removed.",
    verdict: ["info", "info", "info"],
    below: "/endpoints",
    find: (old, now) =>
      now.endpoints
        .filter(({ location, description }) =>
          old.endpoints.some(
            (before) =>
              before.location === location &&
              before.description !== description,
          ),
        )
        .map(({ location, description = "" }) => ({
          text: `the description of the endpoint for ${quoted(location)} changed`,
          detail: `${location} ${fingerprintOf(description)}`,
        })),
  }),
  changed({
    id: "resource-deprecated",
    kind: "deprecated",
    summary: "A resource was deprecated.",
    verdict: ["warning", "info", "info"],
    find: (old, now) =>
      deprecatedResources(now, old).map(({ name, pointer }) => ({
        text: `the resource ${quoted(name)} was deprecated`,
        detail: name,
        below: `${pointer}/deprecated`,
      })),
  }),
  changed({
    id: "resource-undeprecated",
    summary: "The deprecation of a resource was removed.",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      deprecatedResources(old, now).map(({ name, pointer }) => ({
        text: `the resource ${quoted(name)} is no longer deprecated`,
        detail: name,
        below: pointer,
      })),
  }),
  changed({
    id: "api-deprecated",
    kind: "deprecated",
    summary: "The API was given the label `deprecated`.",
    verdict: ["warning", "info", "info"],
    below: "/labels",
    find: (old, now) =>
      !old.labels.includes("deprecated") &&
      now.labels.includes("deprecated") &&
      "the API was deprecated",
  }),
  changed({
    id: "api-name-changed",
    summary:
      "The name of the output folder, or of the function that creates clients, changed.",
    verdict: ["info", "info", "breaking"],
    find: (old, now) => {
      const [before, after] = [old, now].map(
        (api) => `${apiFolder(api)} ${apiTitle(api)}`,
      );
      return (
        before !== after && {
          text: `the folder and title of the output changed from ${quoted(before!)} to ${quoted(after!)}`,
          detail: after,
        }
      );
    },
  }),
  changed({
    id: "declared-scope-removed",
    kind: "removed",
    summary: "The declaration of a scope that no method lists was removed.",
    reason:
      "The generated scopes.ts no longer contains the constant of the scope. The rule `scope-removed` reports methods that listed the scope.",
    verdict: ["info", "info", "breaking"],
    below: "/auth/oauth2/scopes",
    find: (_, __, documents) =>
      missingItems(scopesOf(documents.old), scopesOf(documents.new)).map(
        (name) => ({
          text: `the scope ${quoted(name)} was removed`,
          detail: name,
        }),
      ),
  }),
  changed({
    id: "declared-scope-added",
    kind: "added",
    summary: "The document declares a new scope.",
    verdict: ["info", "info", "info"],
    below: "/auth/oauth2/scopes",
    find: (_, __, documents) =>
      missingItems(scopesOf(documents.new), scopesOf(documents.old)).map(
        (name) => ({
          text: `the scope ${quoted(name)} was added`,
          detail: name,
        }),
      ),
  }),
  changed({
    id: "feature-changed",
    summary:
      "`features` or `fullyEncodeReservedExpansion` changed, which affects how requests and responses are encoded.",
    reason:
      "The severity is `warning` if only the encoding of paths changed, because servers decode both encodings.",
    verdict: ["breaking", "info", "info"],
    find: (old, now) => {
      const [before, after] = [listed(old.features), listed(now.features)];
      return [
        old.encodeReserved !== now.encodeReserved && {
          text: `fullyEncodeReservedExpansion changed to ${String(now.encodeReserved)}`,
          detail: `encode ${String(now.encodeReserved)}`,
          below: "/fullyEncodeReservedExpansion",
          verdict: { client: "warning" as const },
        },
        before !== after && {
          text: `features changed from ${before} to ${after}`,
          detail: after,
          below: "/features",
        },
      ].filter((finding) => finding !== false);
    },
  }),
  changed({
    id: "information-changed",
    kind: "text",
    summary:
      "The title, description, labels or documentation link of the document changed.",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      INFORMATION.map((field) => ({
        field,
        before: JSON.stringify(old[field] ?? null),
        after: JSON.stringify(now[field] ?? null),
      }))
        .filter(({ before, after }) => before !== after)
        .map(({ field, after }) => ({
          text: `${field} changed`,
          detail: `${field} ${after}`,
          below: `/${field}`,
        })),
  }),
  changed({
    id: "document-field-changed",
    kind: "text",
    summary: "A document field without its own rule changed.",
    reason:
      "The severity is `warning` if the field is an extension that affects requests or responses.",
    verdict: ["info", "info", "info"],
    find: (_, __, documents) => {
      const [before, after] = [documents.old, documents.new].map(
        ({ document }) => document as Readonly<Record<string, unknown>>,
      );
      return sortedKeys({ ...before, ...after })
        .filter((name) => !COVERED.has(name))
        .filter((name) => !isSameJson(before![name], after![name]))
        .map((name) => ({
          text: `${name} changed`,
          detail: name,
          below: `/${escapeToken(name)}`,
          verdict: EFFECTIVE.test(name)
            ? { client: "warning", server: "warning" }
            : undefined,
        }));
    },
  }),
];

/**
 * Rule that reports differences that no other rule reports. It runs last, and
 * only if the other rules found no changes.
 */
export const otherChanged = changed({
  id: "other-changed",
  kind: "text",
  summary:
    "The documents differ only in fields that don't affect requests, responses or the output.",
  verdict: ["info", "info", "info"],
  find: (_, __, documents) => {
    const [before, after] = [documents.old, documents.new].map(({ document }) =>
      canonicalDocument(withoutOrder(document)),
    );
    return (
      before !== after && {
        text: "other fields of the document changed",
        detail: fingerprintOf(after!),
      }
    );
  },
});

/** Returns the scopes that a document declares or that its methods use. */
function scopesOf({ api, methods }: Side): readonly string[] {
  const declared = api.scopes.map(({ name }) => name);
  const used = methods.flatMap(({ scopes }) => scopes);
  return [...new Set([...declared, ...used])];
}

/**
 * Returns the locations of endpoints that are deprecated in one API, and not
 * deprecated in another API that has them too.
 */
function deprecatedEndpoints(api: Api, other: Api): string[] {
  const current = new Set(
    other.endpoints
      .filter(({ deprecated }) => deprecated !== true)
      .map(({ location }) => location),
  );
  return api.endpoints
    .filter(({ deprecated }) => deprecated === true)
    .map(({ location }) => location)
    .filter((location) => current.has(location));
}

/**
 * Returns the resources that are deprecated in one API, and not deprecated in
 * another API that has them too.
 */
function deprecatedResources(
  api: Api,
  other: Api,
): { readonly name: string; readonly pointer: string }[] {
  const others = resourcesByPath(other.root);
  return [...resourcesByPath(api.root)]
    .filter(
      ([pointer, { deprecated }]) =>
        deprecated === true &&
        others.has(pointer) &&
        others.get(pointer)!.deprecated !== true,
    )
    .map(([pointer, { path }]) => ({ name: path.join("."), pointer }));
}

/** Returns all resources below a resource, keyed by JSON pointer. */
function resourcesByPath(resource: Resource): Map<string, Resource> {
  return new Map(
    resource.children.flatMap((child): [string, Resource][] => [
      [
        child.path.map((name) => `/resources/${escapeToken(name)}`).join(""),
        child,
      ],
      ...resourcesByPath(child),
    ]),
  );
}

/**
 * Tests whether each method has the same path, relative to the root URL, in
 * both documents.
 */
function hasSamePaths(documents: Documents): boolean {
  return matchMethods(documents.old, documents.new).every(
    ({ old, new: now }) =>
      old === undefined ||
      now === undefined ||
      shapeOf(urlPath(old, documents.old)) ===
        shapeOf(urlPath(now, documents.new)),
  );
}

/**
 * Returns a copy of a value in which lists are sorted, so that the order of
 * lists is ignored.
 */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutOrder);
    return items
      .map((item): [string, unknown] => [canonicalDocument(item), item])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutOrder(item)]),
  );
}
