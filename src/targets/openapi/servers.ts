import type { Api } from "../../model/ir.js";
import { jsonObject, type JsonObject } from "../json-schema/json.js";

/**
 * Returns the servers of an API: rootUrl, then locations, then mutual TLS.
 * servicePath is part of the paths instead, because upload paths do not contain
 * it and many generators ignore servers of single paths.
 */
export function serversOf({
  rootUrl,
  endpoints,
  mtlsRootUrl,
}: Api): JsonObject[] {
  const servers = [
    { url: serverUrl(rootUrl) },
    ...endpoints.map(({ url, location, description, deprecated }) =>
      jsonObject({
        url: serverUrl(url),
        description: description ?? location,
        "x-discovery-location": location,
        "x-discovery-deprecated": deprecated,
      }),
    ),
  ];
  if (mtlsRootUrl !== undefined)
    servers.push({ url: serverUrl(mtlsRootUrl), description: "Mutual TLS." });
  return servers;
}

/**
 * Returns a URL without trailing slashes. Braces are escaped, because they
 * would start a variable.
 */
function serverUrl(url: string): string {
  const bare = url.replace(/[{}]/g, encodeURIComponent);
  let end = bare.length;
  while (end > 0 && bare[end - 1] === "/") end--;
  return bare.slice(0, end);
}

/**
 * Returns the server of uploads, whose paths are relative to the origin;
 * undefined if it is the server of all methods.
 */
export function uploadServers({ rootUrl }: Api): JsonObject[] | undefined {
  if (!URL.canParse(rootUrl)) return undefined;
  const { origin, pathname } = new URL(rootUrl);
  return pathname === "/" || origin === "null" ? undefined : [{ url: origin }];
}
