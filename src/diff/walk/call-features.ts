import {
  hasUploadProtocol,
  requestForm,
  responseForm,
} from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";

/**
 * Returns descriptions of the optional features of a generated call, such as
 * iteration over pages. Uploads and downloads are omitted, because separate
 * rules compare them.
 */
export function callFeatures(method: Method): string[] {
  const { paging, links, operation, stream } = method;
  return [
    ...(paging === undefined ? [] : ["pages"]),
    ...(paging?.items === undefined
      ? []
      : [`page items in the field ${JSON.stringify(paging.items.field)}`]),
    ...(links === undefined
      ? []
      : ["iteration over the elements of all pages"]),
    ...(operation?.poll === undefined
      ? []
      : [`a method that waits for the operation (${operation.style})`]),
    ...(operation?.result === undefined
      ? []
      : ["a typed result of the operation"]),
    ...(stream === undefined || paging !== undefined
      ? []
      : [`a stream (${stream.format})`]),
    ...(method.responseHeaders === undefined ? [] : ["typed response headers"]),
    // The forms `json` and `none` are equal here, because the rules
    // `response-added` and `response-removed` compare them.
    ...(["json", "none"].includes(responseForm(method))
      ? ["a JSON response"]
      : []),
    ...(responseForm(method) === "content"
      ? ["a download as the response"]
      : []),
    ...(responseForm(method) === "redirect"
      ? ["a redirect to the content"]
      : []),
    ...(requestForm(method) === "json" && hasRequiredContent(method)
      ? ["the option to omit required body members when media is uploaded"]
      : []),
  ];
}

function hasRequiredContent({ requiredContent, upload }: Method): boolean {
  return requiredContent !== undefined && hasUploadProtocol(upload);
}
