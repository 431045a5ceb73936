import type { DocumentPath, BuildContext } from "./context.js";

/** Keys that the description format defines, grouped by kind of object. */
const KEYS = {
  document: keys(
    "kind discoveryVersion etag id name canonicalName version revision title description icons documentationLink labels",
    "protocol baseUrl basePath rootUrl mtlsRootUrl servicePath restBasePath batchPath endpoints ownerDomain ownerName",
    "packagePath version_module fullyEncodeReservedExpansion parameters auth features schemas methods resources",
    "rpcUrl rpcPath exponentialBackoffDefault",
  ),
  resource: keys("methods resources deprecated"),
  method: keys(
    "id path restPath flatPath httpMethod description deprecated apiVersion streamingType parameters parameterOrder",
    "request response scopes supportsMediaDownload useMediaDownloadService supportsMediaUpload mediaUpload",
    "supportsSubscription etagRequired rpcMethod x-stream x-operation",
  ),
  schema: keys(
    "id type $ref description default required deprecated readOnly format pattern minimum maximum enum",
    "enumDescriptions enumDeprecated repeated location properties additionalProperties items annotations variant",
  ),
} as const;

function keys(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(" ").split(" "));
}

/**
 * Records the keys of an object that the description format does not define.
 */
export function checkKeys(
  kind: keyof typeof KEYS,
  raw: object,
  at: DocumentPath | undefined,
  context: BuildContext,
): void {
  const known = KEYS[kind];
  for (const key in raw)
    if (!known.has(key)) context.unknownKey(key, known, at);
}
