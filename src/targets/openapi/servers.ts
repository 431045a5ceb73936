import type { Api } from "../../model/ir.js";
import { jsonObject, type JsonObject } from "../json-schema/json.js";

/**
 * Returns the servers of an API: first rootUrl, then the regional endpoints,
 * then the endpoint for mutual TLS. The servers do not include servicePath; it
 * is part of the paths instead, because upload paths do not contain it and many
 * generators ignore servers that are declared for individual paths.
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
 * Returns a URL without trailing slashes. Braces are percent-encoded, because
 * they would delimit a variable.
 */
function serverUrl(url: string): string {
  const bare = url.replace(/[{}]/g, encodeURIComponent);
  let end = bare.length;
  while (end > 0 && bare[end - 1] === "/") end--;
  return bare.slice(0, end);
}

/**
 * Returns the server for uploads, which is the origin of rootUrl; undefined if
 * rootUrl has no path, because uploads then use the same server as all other
 * requests.
 */
export function uploadServers({ rootUrl }: Api): JsonObject[] | undefined {
  if (!URL.canParse(rootUrl)) return undefined;
  const { origin, pathname } = new URL(rootUrl);
  return pathname === "/" || origin === "null" ? undefined : [{ url: origin }];
}
