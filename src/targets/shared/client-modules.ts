/** The runtime's modules by what generated code imports of them. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  bind: ["bind", "callable", "Bound", "BoundMethod"],
  "token-pagination": ["paged", "PagedCall", "PagesCall"],
  media: ["download", "Media", "MediaCall"],
  "http-body": ["rawAnswer", "rawBody", "RawBody"],
  upload: ["upload", "UploadMedia"],
  operation: ["operation", "OperationCall"],
  stream: ["events", "jsonArray", "StreamCall"],
  "link-pagination": ["linked", "ListCall"],
  "redirect-download": ["redirected", "RedirectCall"],
  "call-types": ["HeadedCall"],
  credential: ["credential", "credentialed", "CredentialRules"],
  "header-parameters": ["headerParameters"],
  "described-errors": [
    "describedErrors",
    "isDescribedError",
    "DescribedError",
    "ErrorStatus",
  ],
  service: ["ReadError"],
  auth: ["Auth", "TokenSource"],
  batch: ["batches", "Batches"],
  scopes: ["smallestScopes", "ScopeSet", "ScopedMethod"],
  template: ["expandTemplate"],
  "data-wrapper": ["dataWrapper"],
  "json-body": ["jsonBody"],
  escape: ["keepReserved"],
  execute: ["Answer"],
  fields: ["CheckFields", "Select"],
  "selected-call": ["Narrow", "Selector"],
  types: ["Double", "Input", "OrMedia", "Patch", "WithRequired"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
);

/** The module that has a name; what every file needs is in core. */
export function runtimeModuleOf(name: string): string {
  return BY_NAME.get(name) ?? "core";
}
