import { isObject } from "../../diagnostics/json.js";
import { resolvePointer } from "../../diagnostics/types.js";
import {
  hasUploadProtocol,
  requestForm,
  responseForm,
} from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { missingItems, rulesAbout, type Finding } from "../rule.js";
import type { Side } from "../side.js";
import { renamedVariables, shapeOf, urlPath } from "../walk/match-methods.js";
import { isSameJson, listed, quoted } from "../words.js";

const { added, removed, changed } = rulesAbout("method");

const PROTOCOLS = ["simple", "resumable"] as const;

/** Rules about methods, without their parameters and the types of bodies. */
export const methodRules = [
  added({
    id: "method-added",
    summary: "A method was added.",
    reason: "Servers respond with 501 until a handler exists.",
    verdict: ["info", "warning", "info"],
    find: () => "the method was added",
  }),
  removed({
    id: "method-removed",
    summary: "A method was removed.",
    verdict: ["breaking", "breaking", "breaking"],
    find: () => "the method was removed",
  }),
  changed({
    id: "method-renamed",
    summary: "A method was renamed within its resource; its URL is unchanged.",
    verdict: ["info", "breaking", "breaking"],
    find: (old, now, documents) =>
      old.name !== now.name &&
      resourceOf(old, documents.old) === resourceOf(now, documents.new) && {
        text: `the method was renamed to ${quoted(now.id)}`,
        detail: now.id,
      },
  }),
  changed({
    id: "method-moved",
    summary: "A method moved to a different resource; its URL is unchanged.",
    verdict: ["info", "breaking", "breaking"],
    find: (old, now, documents) => {
      const resource = resourceOf(now, documents.new);
      return (
        resourceOf(old, documents.old) !== resource && {
          text: `the method moved to ${quoted(now.id)} in resource ${quoted(resource)}`,
          detail: `${resource} ${now.name}`,
        }
      );
    },
  }),
  changed({
    id: "method-id-changed",
    summary: "Only the id of a method changed.",
    verdict: ["info", "info", "info"],
    below: "/id",
    find: (old, now, documents) =>
      old.id !== now.id &&
      old.name === now.name &&
      resourceOf(old, documents.old) === resourceOf(now, documents.new) && {
        text: `the id changed to ${quoted(now.id)}`,
        detail: now.id,
      },
  }),
  changed({
    id: "export-renamed",
    summary:
      "The exported function of a method was renamed, because its name conflicts with another name.",
    verdict: ["info", "info", "breaking"],
    find: (old, now, documents) => {
      const before = documents.old.names.methods.get(old);
      const after = documents.new.names.methods.get(now);
      return (
        old.name === now.name &&
        before !== after && {
          text: `the exported function was renamed from ${before} to ${after}`,
          detail: after,
        }
      );
    },
  }),
  changed({
    id: "http-method-changed",
    summary: "The HTTP method of a method changed.",
    reason:
      "For types, the severity is `breaking` if the old method is PATCH with a body, because only PATCH bodies can contain null.",
    verdict: ["breaking", "info", "info"],
    below: "/httpMethod",
    find: (old, now) =>
      old.httpMethod !== now.httpMethod && {
        text: `the HTTP method changed from ${quoted(old.httpMethod)} to ${quoted(now.httpMethod)}`,
        detail: now.httpMethod,
        verdict:
          old.httpMethod === "PATCH" && old.request !== undefined
            ? { types: "breaking" }
            : undefined,
      },
  }),
  changed({
    id: "path-changed",
    summary: "The path of a method changed.",
    verdict: ["breaking", "info", "info"],
    below: "/path",
    find: (old, now, documents) =>
      shapeOf(old.path) !== shapeOf(now.path) &&
      shapeOf(urlPath(old, documents.old)) !==
        shapeOf(urlPath(now, documents.new)) && {
        text: `the path changed from ${quoted(old.path)} to ${quoted(now.path)}`,
        detail: now.path,
      },
  }),
  changed({
    id: "path-parameter-renamed",
    summary: "A path parameter was renamed; the URL is unchanged.",
    reason:
      "The name of a path parameter is not part of the URL, but callers and handlers use it.",
    verdict: ["info", "breaking", "breaking"],
    below: "/path",
    find: (old, now) =>
      [...renamedVariables(old, now)].map(([before, after]) => ({
        text: `the path parameter ${quoted(before)} was renamed to ${quoted(after)}`,
        detail: `${before} ${after}`,
      })),
  }),
  changed({
    id: "flat-path-changed",
    summary: "The `flatPath` of a method changed.",
    reason:
      "Clients use `path`; servers use `flatPath` to determine the number of segments of `{+name}`. The severity is `info` if only the names of variables changed.",
    verdict: ["warning", "warning", "info"],
    below: "/flatPath",
    find: (old, now) => {
      const before = old.flatPath ?? old.path;
      const after = now.flatPath ?? now.path;
      // If both flat paths equal the paths, `path-changed` reports the change.
      if (before === old.path && after === now.path) return undefined;
      return (
        before !== after &&
        shapeOf(old.path) === shapeOf(now.path) && {
          text: `flatPath changed from ${quoted(before)} to ${quoted(after)}`,
          detail: after,
          verdict:
            shapeOf(before) === shapeOf(after)
              ? { client: "info", server: "info" }
              : undefined,
        }
      );
    },
  }),
  changed({
    id: "request-added",
    kind: "added",
    summary: "A request body was added to a method.",
    reason:
      "The server may require the body. The rule `body-member-required` reports required members.",
    verdict: ["warning", "info", "info"],
    below: "/request",
    find: (old, now) =>
      old.request === undefined &&
      now.request !== undefined &&
      "a request body was added",
  }),
  changed({
    id: "request-removed",
    kind: "removed",
    summary: "The request body of a method was removed.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/request",
    find: (old, now) =>
      old.request !== undefined &&
      now.request === undefined &&
      "the request body was removed",
  }),
  changed({
    id: "response-added",
    kind: "added",
    summary: "A response body was added to a method.",
    reason: "Handlers must return a value.",
    verdict: ["info", "breaking", "warning"],
    below: "/response",
    find: (old, now) =>
      old.response === undefined &&
      now.response !== undefined &&
      "a response body was added",
  }),
  changed({
    id: "response-removed",
    kind: "removed",
    summary: "The response body of a method was removed.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/response",
    find: (old, now) =>
      old.response !== undefined &&
      now.response === undefined &&
      "the response body was removed",
  }),
  changed({
    id: "body-member-required",
    summary:
      "A member of a request body became required (`annotations.required`).",
    verdict: ["breaking", "info", "breaking"],
    below: "/request",
    find: (old, now) =>
      missingItems(now.requiredMembers, old.requiredMembers).map((name) => ({
        text: `the member ${quoted(name)} of the request body became required`,
        detail: name,
      })),
  }),
  changed({
    id: "body-member-optional",
    summary: "A required member of a request body became optional.",
    reason: "Handlers can receive bodies without the member.",
    verdict: ["info", "breaking", "info"],
    below: "/request",
    find: (old, now) =>
      now.request !== undefined &&
      missingItems(old.requiredMembers, now.requiredMembers).map((name) => ({
        text: `the member ${quoted(name)} of the request body became optional`,
        detail: name,
      })),
  }),
  changed({
    id: "scope-removed",
    kind: "removed",
    summary: "A method no longer accepts a scope.",
    reason: "Callers whose token has only this scope are rejected.",
    verdict: ["breaking", "info", "info"],
    below: "/scopes",
    find: (old, now) =>
      now.scopes.length > 0 &&
      missingItems(old.scopes, now.scopes).map((name) => ({
        text: `the scope ${quoted(name)} is no longer accepted`,
        detail: name,
      })),
  }),
  changed({
    id: "scope-added",
    kind: "added",
    summary: "A method now accepts an additional scope.",
    reason: "One of the listed scopes is sufficient.",
    verdict: ["info", "info", "info"],
    below: "/scopes",
    find: (old, now) =>
      old.scopes.length > 0 &&
      missingItems(now.scopes, old.scopes).map((name) => ({
        text: `the scope ${quoted(name)} is now accepted`,
        detail: name,
      })),
  }),
  changed({
    id: "scopes-required",
    summary:
      "A method that required no scope now requires one of several scopes.",
    verdict: ["breaking", "info", "info"],
    below: "/scopes",
    find: (old, now) =>
      old.scopes.length === 0 &&
      now.scopes.length > 0 && {
        text: `the method now requires one of the scopes ${listed(now.scopes)}`,
        detail: listed(now.scopes),
      },
  }),
  changed({
    id: "scopes-dropped",
    summary: "A method no longer lists scopes.",
    verdict: ["info", "info", "info"],
    below: "/scopes",
    find: (old, now) =>
      old.scopes.length > 0 &&
      now.scopes.length === 0 &&
      "the method no longer lists scopes",
  }),
  changed({
    id: "upload-added",
    kind: "added",
    summary: "A method now accepts media uploads.",
    reason: "Existing handlers ignore the media.",
    verdict: ["info", "warning", "info"],
    below: "/mediaUpload",
    find: (old, now) =>
      !hasUploadProtocol(old.upload) &&
      hasUploadProtocol(now.upload) &&
      "the method now accepts media uploads",
  }),
  changed({
    id: "upload-removed",
    kind: "removed",
    summary: "A method no longer accepts media uploads.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/mediaUpload",
    find: (old, now) =>
      hasUploadProtocol(old.upload) &&
      !hasUploadProtocol(now.upload) &&
      "media uploads were removed",
  }),
  changed({
    id: "upload-protocol-removed",
    kind: "removed",
    summary:
      "A method no longer accepts one of the upload protocols (simple or resumable).",
    verdict: ["breaking", "info", "info"],
    below: "/mediaUpload/protocols",
    find: ({ upload: before }, { upload: after }) =>
      hasUploadProtocol(before) &&
      hasUploadProtocol(after) &&
      PROTOCOLS.filter(
        (name) => before[name] !== undefined && after[name] === undefined,
      ).map((name) => ({ text: `${name} uploads were removed`, detail: name })),
  }),
  changed({
    id: "upload-path-changed",
    summary: "The path of media uploads changed.",
    verdict: ["breaking", "info", "info"],
    find: (old, now) =>
      PROTOCOLS.flatMap((name) => {
        const before = old.upload?.[name]?.path;
        const after = now.upload?.[name]?.path;
        return before === undefined ||
          after === undefined ||
          shapeOf(before) === shapeOf(after)
          ? []
          : [
              {
                text: `the path of ${name} uploads changed from ${quoted(before)} to ${quoted(after)}`,
                detail: `${name} ${after}`,
                below: `/mediaUpload/protocols/${name}/path`,
              },
            ];
      }),
  }),
  changed({
    id: "upload-limited",
    summary: "A method now accepts only smaller media, or fewer media types.",
    verdict: ["breaking", "info", "info"],
    find: ({ upload: before }, { upload: after }) =>
      before !== undefined &&
      after !== undefined &&
      mediaChanges(before, after, stricterLimits(after, before)),
  }),
  changed({
    id: "upload-extended",
    summary:
      "A method now accepts larger media, more media types, or an additional upload protocol.",
    reason: "Handlers can receive uploads that they did not receive before.",
    verdict: ["info", "warning", "info"],
    below: "/mediaUpload/protocols",
    find: ({ upload: before }, { upload: after }) =>
      hasUploadProtocol(before) &&
      hasUploadProtocol(after) && [
        ...mediaChanges(before, after, stricterLimits(before, after)),
        ...PROTOCOLS.filter(
          (name) => before[name] === undefined && after[name] !== undefined,
        ).map((name) => ({ text: `${name} uploads were added`, detail: name })),
      ],
  }),
  changed({
    id: "download-added",
    kind: "added",
    summary: "Media downloads were added to a method.",
    verdict: ["info", "warning", "info"],
    below: "/supportsMediaDownload",
    find: (old, now) =>
      old.download === undefined &&
      now.download !== undefined &&
      "media downloads were added",
  }),
  changed({
    id: "download-removed",
    kind: "removed",
    summary: "Media downloads of a method were removed.",
    verdict: ["breaking", "breaking", "breaking"],
    below: "/supportsMediaDownload",
    find: (old, now) =>
      old.download !== undefined &&
      now.download === undefined &&
      "media downloads were removed",
  }),
  changed({
    id: "method-deprecated",
    kind: "deprecated",
    summary: "A method was deprecated.",
    verdict: ["warning", "info", "info"],
    below: "/deprecated",
    find: (old, now) =>
      old.deprecated !== true &&
      now.deprecated === true &&
      "the method was deprecated",
  }),
  changed({
    id: "method-undeprecated",
    summary: "The deprecation of a method was removed.",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      old.deprecated === true &&
      now.deprecated !== true &&
      "the method is no longer deprecated",
  }),
  changed({
    id: "api-version-changed",
    summary: "The `apiVersion` of a method changed.",
    reason: "Clients send apiVersion in a header.",
    verdict: ["warning", "info", "info"],
    below: "/apiVersion",
    find: (old, now) =>
      old.apiVersion !== now.apiVersion && {
        text: `apiVersion changed from ${quoted(old.apiVersion ?? "(none)")} to ${quoted(now.apiVersion ?? "(none)")}`,
        detail: now.apiVersion,
      },
  }),
  changed({
    id: "call-type-changed",
    summary:
      "Generated calls no longer have a feature, such as iteration over pages or waiting for an operation.",
    reason: "Expressions such as `for await` no longer compile.",
    verdict: ["info", "info", "breaking"],
    find: (old, now) =>
      missingItems(callFeatures(old), callFeatures(now)).map((name) => ({
        text: `calls no longer have ${name}`,
        detail: name,
      })),
  }),
  changed({
    id: "response-header-removed",
    kind: "removed",
    summary: "A declared response header was removed (`x-response-headers`).",
    verdict: ["breaking", "breaking", "breaking"],
    find: (old, now) =>
      missingHeaders(old, now).map((name) => ({
        text: `the response header ${quoted(name)} was removed`,
        detail: name,
      })),
  }),
  changed({
    id: "response-header-added",
    kind: "added",
    summary: "A response header was declared (`x-response-headers`).",
    verdict: ["info", "info", "info"],
    find: (old, now) =>
      missingHeaders(now, old).map((name) => ({
        text: `the response header ${quoted(name)} was added`,
        detail: name,
      })),
  }),
  changed({
    id: "method-extension-changed",
    summary:
      "A method field without its own rule changed: an extension, `streamingType`, `etagRequired`, or `supportsSubscription`.",
    verdict: ["warning", "warning", "info"],
    find: (old, now, documents) => {
      const before = fieldsOf(documents.old, old);
      const after = fieldsOf(documents.new, now);
      return Object.keys({ ...before, ...after })
        .filter((name) => !COVERED.has(name))
        .filter((name) => !isSameJson(before[name], after[name]))
        .sort()
        .map((name) => ({
          text: `${name} changed`,
          detail: name,
          below: `/${name}`,
        }));
    },
  }),
];

/** Returns the names of the resources that contain a method, joined by dots. */
function resourceOf(method: Method, side: Side): string {
  return side.resourceOf.get(method) ?? "";
}

/** Returns the response headers that only the first method declares. */
function missingHeaders(from: Method, other: Method): string[] {
  return missingItems(from.responseHeaders, other.responseHeaders, ({ name }) =>
    name.toLowerCase(),
  ).map(({ name }) => name);
}

type Upload = NonNullable<Method["upload"]>;

/** Tests which limits of media are stricter in the first version. */
function stricterLimits(
  one: Upload,
  other: Upload,
): { readonly size: boolean; readonly types: boolean } {
  return {
    size: (one.maxBytes ?? Infinity) < (other.maxBytes ?? Infinity),
    types: hasOtherTypes(other.accept, one.accept),
  };
}

/**
 * Tests whether the second list rejects media types of the first list. An
 * empty list accepts all types.
 */
function hasOtherTypes(
  types: readonly string[],
  accept: readonly string[],
): boolean {
  if (accept.length === 0 || accept.includes("*/*")) return false;
  return (
    types.length === 0 ||
    types.some(
      (type) =>
        !accept.includes(type) && !accept.includes(`${type.split("/")[0]}/*`),
    )
  );
}

function mediaChanges(
  before: Upload,
  after: Upload,
  differs: { readonly size: boolean; readonly types: boolean },
): Finding[] {
  const findings: Finding[] = [];
  if (differs.size)
    findings.push({
      text: `the maximum size of media changed from ${before.maxSize ?? "no limit"} to ${after.maxSize ?? "no limit"}`,
      detail: `size ${after.maxSize}`,
      below: "/mediaUpload/maxSize",
    });
  if (differs.types)
    findings.push({
      text: `accepted media types changed from ${listed(before.accept)} to ${listed(after.accept)}`,
      detail: `types ${listed(after.accept)}`,
      below: "/mediaUpload/accept",
    });
  return findings;
}

/**
 * Returns descriptions of the optional features of a generated call, such as
 * iteration over pages. Uploads and downloads are omitted, because separate
 * rules compare them.
 */
function callFeatures(method: Method): string[] {
  const { paging, links, operation, stream, upload } = method;
  const form = responseForm(method);
  const features: readonly (readonly [boolean, string])[] = [
    [paging !== undefined, "pages"],
    [
      paging?.items !== undefined,
      `page items in the field ${JSON.stringify(paging?.items?.field)}`,
    ],
    [links !== undefined, "iteration over the elements of all pages"],
    [
      operation?.poll !== undefined,
      `a method that waits for the operation (${operation?.style})`,
    ],
    [operation?.result !== undefined, "a typed result of the operation"],
    [
      stream !== undefined && paging === undefined,
      `a stream (${stream?.format})`,
    ],
    [method.responseHeaders !== undefined, "typed response headers"],
    // The forms `json` and `none` are equal here, because the rules
    // `response-added` and `response-removed` compare them.
    [form === "json" || form === "none", "a JSON response"],
    [form === "content", "a download as the response"],
    [form === "redirect", "a redirect to the content"],
    [
      requestForm(method) === "json" &&
        method.requiredContent !== undefined &&
        hasUploadProtocol(upload),
      "the option to omit required body members when media is uploaded",
    ],
  ];
  return features.filter(([has]) => has).map(([, name]) => name);
}

/**
 * Method fields that the rule `method-extension-changed` ignores, such as
 * fields that other rules compare.
 */
const COVERED = new Set(
  "id path restPath flatPath httpMethod description deprecated apiVersion parameters parameterOrder request response scopes supportsMediaUpload mediaUpload supportsMediaDownload x-headers x-response-headers".split(
    " ",
  ),
);

function fieldsOf(side: Side, { pointer }: Method): Record<string, unknown> {
  const value = resolvePointer(side.document, pointer);
  return isObject(value) ? value : {};
}
