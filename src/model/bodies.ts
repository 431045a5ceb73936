import type { Method, Stream, Upload } from "./ir.js";

/** Form of a request body: none, content of any media type, or JSON. */
export type RequestForm = "none" | "content" | "json";

/** Returns the form of a method's request body. */
export function requestForm({ request, rawRequest }: Method): RequestForm {
  if (request === undefined) return "none";
  return rawRequest === true ? "content" : "json";
}

/**
 * Form of a successful response. A `redirect` has a `Location` header with the
 * URL of the content.
 */
export type ResponseForm = RequestForm | "redirect";

/** Returns the form of a method's successful response. */
export function responseForm(method: Method): ResponseForm {
  if (isRedirect(method)) return "redirect";
  if (method.rawResponse === true) return "content";
  return method.response === undefined ? "none" : "json";
}

/**
 * Tests whether a successful response redirects to the content (`x-status`).
 */
export function isRedirect({ redirects }: Method): boolean {
  return redirects === true;
}

/**
 * Tests whether servers reject a request that has no JSON body. False for
 * uploads, because an upload can consist of media only.
 */
export function isBodyRequired({ requiredMembers, upload }: Method): boolean {
  return requiredMembers !== undefined && upload === undefined;
}

/**
 * Tests whether the document declares a URL for uploads. `supportsMediaUpload`
 * alone does not declare one.
 */
export function hasUploadProtocol(
  upload: Upload | undefined,
): upload is Upload {
  return upload?.simple !== undefined || upload?.resumable !== undefined;
}

/**
 * Returns the media ranges that an upload accepts; undefined if all media types
 * are accepted. Some documents list a range for all types in addition to other
 * ranges.
 */
export function acceptedRanges({
  accept,
}: Upload): readonly string[] | undefined {
  return accept.length === 0 || accept.includes("*/*") ? undefined : accept;
}

/**
 * Returns the event stream that a method can send as its response; undefined
 * for methods without server-sent events.
 */
export function eventStream({ stream }: Method): Stream | undefined {
  return stream?.format === "events" ? stream : undefined;
}
