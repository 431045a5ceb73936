/**
 * Map from each module of the client runtime to the names that generated code
 * imports from it.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  batch: ["batches", "Batches"],
  bind: ["bind", "Bound", "BoundMethod"],
  "token-pagination": ["tokenPagination", "PagedCall", "PagesCall"],
  media: ["download", "Media", "MediaCall"],
  "http-body": ["rawBody", "RawBody", "rawResponse"],
  upload: ["upload", "UploadMedia"],
  operation: ["operation", "OperationCall"],
  stream: ["events", "jsonArray", "StreamCall"],
  "link-pagination": ["linkPagination", "ListCall"],
  "redirect-download": ["redirectDownload", "RedirectCall"],
  "call-types": ["HeadedCall"],
  credential: ["credential", "CredentialRules", "withCredential"],
  "header-parameters": ["headerParameters"],
  "described-errors": [
    "describedErrors",
    "isDescribedError",
    "DescribedError",
    "ErrorStatus",
  ],
  auth: ["Auth", "TokenSource"],
  scopes: ["smallestScopes", "ScopeSet", "ScopedMethod"],
  template: ["expandTemplate"],
  "data-wrapper": ["dataWrapper"],
  "json-body": ["jsonBody"],
  values: ["keepReserved"],
  contract: ["CallResult", "ReadError"],
  fields: ["CheckFields", "Select"],
  "selected-call": ["FieldsParameter", "Misplaced", "SelectedCall"],
  types: ["Double", "Input", "OrMedia", "Patch", "WithRequired"],
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(MODULES).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
);

/**
 * Returns the module of the client runtime that exports a name. Names that are
 * not listed are exported by the module `core`.
 */
export function runtimeModuleOf(name: string): string {
  return BY_NAME.get(name) ?? "core";
}
