import type { Sink } from "../diagnostics/sink.js";

/** Value of the `kind` field in every description document. */
export const REST_DESCRIPTION = "discovery#restDescription";

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the value if it is a description document. Reports any other
 * document, such as an OpenAPI document or a directory list, and returns
 * undefined.
 */
export function recogniseDescription(
  value: unknown,
  file: string,
  sink: Sink,
): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    sink.report(
      "kind-wrong",
      `${file} must be an object, found ${describe(value)}`,
      "",
    );
    return undefined;
  }
  const document = value as Json;
  if (document["kind"] === REST_DESCRIPTION) return document;
  if (document["kind"] === "discovery#directoryList") {
    sink.report(
      "kind-directory-list",
      `${file} is a list of APIs, not an API description`,
      "/kind",
    );
  } else if (document["kind"] === undefined && looksLikeError(document)) {
    sink.report(
      "kind-error-response",
      `${file} is an error response: ${errorMessage(document)}`,
      "/error",
    );
  } else if ("openapi" in document || "swagger" in document) {
    sink.report("kind-openapi", `${file} is an OpenAPI document`, "");
  } else if (document["kind"] === undefined && looksLikeDescription(document)) {
    sink.report(
      "kind-missing",
      `${file} has no "kind" field; it is treated as an API description`,
      "",
    );
    return document;
  } else {
    reportWrongKind(document, file, sink);
  }
  return undefined;
}

function reportWrongKind(document: Json, file: string, sink: Sink): void {
  const kind = document["kind"];
  if (kind === undefined)
    sink.report(
      "kind-wrong",
      `${file} is not an API description: the "kind" field is missing`,
      "",
    );
  else
    sink.report(
      "kind-wrong",
      `${file} must have kind "${REST_DESCRIPTION}", found ${JSON.stringify(kind).slice(0, 200)}`,
      "/kind",
    );
}

function looksLikeDescription(document: Json): boolean {
  return (
    typeof document["name"] === "string" &&
    typeof document["version"] === "string" &&
    ["resources", "methods", "schemas"].some((key) => key in document)
  );
}

function looksLikeError(document: Json): boolean {
  return (
    "error" in document && !("resources" in document || "schemas" in document)
  );
}

function errorMessage(document: Json): string {
  const error = document["error"];
  if (typeof error === "object" && error !== null) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return [code, message]
      .filter((part) => part !== undefined)
      .join(" ")
      .slice(0, 200);
  }
  return String(error).slice(0, 200);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
