// This file has more than 250 lines, because it contains a table with one row
// for each diagnostic code.

import type { Severity } from "./types.js";

/** Severity, cause and fix that all findings with a diagnostic code share. */
export interface CatalogueEntry {
  readonly severity: Severity;
  readonly cause: string;
  readonly fix: string;
  /**
   * Exit code of a run that reports this code. Default for errors: 3 (invalid
   * description).
   */
  readonly exit?: 1 | 2 | 4 | 5;
}

/**
 * Diagnostic codes with their properties, in the order of the stages that
 * report them: reading, validation, model, names, writing, serving.
 */
const rows = {
  "package-missing": {
    severity: "error",
    exit: 2,
    cause:
      "The command needs an optional peer dependency that is not installed.",
    fix: "Install the package that is mentioned in the message.",
  },
  "source-missing": {
    severity: "error",
    exit: 2,
    cause: "No file or folder has this name, or the glob matches no file.",
    fix: "Check the path given to --spec; globs are relative to the working directory.",
  },
  "source-empty": {
    severity: "error",
    exit: 2,
    cause: "The folder contains no .json files.",
    fix: "Set --spec to a description document or to a folder with documents.",
  },
  "source-unreadable": {
    severity: "error",
    cause: "The operating system reported an error when the file was read.",
    fix: "Check that the path is a file or pipe and that you have permission to read it.",
  },
  "source-too-large": {
    severity: "error",
    cause:
      "The input is larger than 64 MiB, the limit for description documents.",
    fix: "Check that the path is a description document.",
  },
  "source-unsupported": {
    severity: "error",
    exit: 2,
    cause: "Sources with this scheme are not supported.",
    fix: "Use an https URL, a path, or - for standard input.",
  },
  "json-empty": {
    severity: "error",
    cause: "The input is empty or contains only white space.",
    fix: "Download the document again; an interrupted download leaves an empty file.",
  },
  "json-binary": {
    severity: "error",
    cause: "The input is not UTF-8 text.",
    fix: "Decompress the document and convert it to UTF-8.",
  },
  "json-syntax": {
    severity: "error",
    cause: "The text is not JSON (RFC 8259).",
    fix: "Correct the text at the reported position; JSON allows neither comments nor trailing commas.",
  },
  "json-duplicate-key": {
    severity: "warning",
    cause:
      "An object contains the same key twice; only the last value is used.",
    fix: "Rename or remove one of the members.",
  },
  "kind-directory-list": {
    severity: "error",
    cause:
      "The input is the list of APIs from an API directory, not the description of one API.",
    fix: "Download the document at the discoveryRestUrl of an entry.",
  },
  "kind-error-response": {
    severity: "error",
    cause:
      "The file contains an error response from a server instead of the document.",
    fix: "Correct the request according to the error message, and download the document again.",
  },
  "kind-openapi": {
    severity: "error",
    cause: "The input is an OpenAPI document, which is a different format.",
    fix: "Use a description document of kind discovery#restDescription.",
  },
  "kind-wrong": {
    severity: "error",
    cause: "The input is JSON, but not an API description document.",
    fix: "Use a description document of kind discovery#restDescription.",
  },
  "kind-missing": {
    severity: "info",
    cause:
      "The document has no field `kind`. Old and hand-written documents often omit the field.",
    fix: 'Add "kind": "discovery#restDescription".',
  },
  "shape-wrong-type": {
    severity: "error",
    cause: "The value of the field has a type that the format does not allow.",
    fix: "Correct the value; specs/README.md lists the fields of the format.",
  },
  "shape-missing": {
    severity: "error",
    cause: "A field that every request needs is missing.",
    fix: "Add the field to the document.",
  },
  "shape-too-deep": {
    severity: "warning",
    cause: "Resources or schemas are nested deeper than the supported limit.",
    fix: "Move inner schemas to the top-level schemas and refer to them with $ref; move inner resources up.",
  },
  "shape-unknown-key": {
    severity: "info",
    cause: "The format does not define this key; the generator ignores it.",
    fix: "Correct the spelling; the names of extensions start with x-.",
  },
  "legacy-shape": {
    severity: "warning",
    cause: "The field has a form from an older version of the format.",
    fix: "No action is required; specs/README.md describes the current form.",
  },
  "ref-missing": {
    severity: "warning",
    cause: "A $ref refers to a schema that the document does not contain.",
    fix: "Add the schema or correct the name. Until this is fixed, the generated type is `unknown`.",
  },
  "ref-cycle": {
    severity: "warning",
    cause: "Schemas that consist only of references form a cycle.",
    fix: "Make one of the schemas an object. Until this is fixed, the generated type is `unknown`.",
  },
  "schema-untyped": {
    severity: "info",
    cause: "A schema has neither type nor $ref, or an array has no items.",
    fix: "Add type or $ref, or items to an array. Until this is fixed, the generated type is `unknown`, or `string` if the schema has a pattern or a string format.",
  },
  "schema-unknown-type": {
    severity: "warning",
    cause: "The format does not define this type.",
    fix: "Use string, number, integer, boolean, array, object or any.",
  },
  "schema-unknown-format": {
    severity: "info",
    cause:
      "The generator does not support this format, or the schema has a regular expression as format and a pattern.",
    fix: "No action is required; the generated type ignores the format, and the comment of the type contains its name.",
  },
  "method-none": {
    severity: "info",
    cause:
      "The document has no methods, so it describes types or a file instead of a service. The target client generates only schemas.ts.",
    fix: "No action is required. To generate a client, add methods.",
  },
  "pattern-unenforced": {
    severity: "info",
    cause:
      "The pattern can match a string in more than 1,000 ways, is longer than 2,000 characters, repeats more than 10,000 times, or has syntax that can take unbounded time, so validators don't check the pattern.",
    fix: "Shorten the pattern, or, after each repetition, add a character that the repetition can't match.",
  },
  "schema-ambiguous": {
    severity: "info",
    cause: "The schema has two fields that can't be used together.",
    fix: "Remove one of the fields.",
  },
  "enum-invalid": {
    severity: "info",
    cause:
      "The enum has no values or duplicate values, its default is not one of the values, or the number of descriptions or deprecation flags differs from the number of values.",
    fix: "List each value once, with one description and one flag per value, and use one of the values as the default.",
  },
  "parameter-undeclared": {
    severity: "warning",
    cause:
      "The path or parameterOrder contains a parameter that is not declared.",
    fix: "Declare the parameter. Until this is fixed, a path variable is a required string.",
  },
  "parameter-location": {
    severity: "warning",
    cause: "The location of the parameter contradicts the path of the method.",
    fix: "Set location to path for path variables, and to query for all other parameters.",
  },
  "path-invalid": {
    severity: "warning",
    cause: "The path is not a valid URI template (RFC 6570).",
    fix: "Correct the braces. Until this is fixed, they are literal text.",
  },
  "method-http": {
    severity: "warning",
    cause: "httpMethod is missing, or is not a valid HTTP method.",
    fix: "Set httpMethod to an HTTP method. Until this is fixed, GET is used.",
  },
  "method-http-unknown": {
    severity: "warning",
    cause: "httpMethod is not a registered HTTP method.",
    fix: "Correct httpMethod. Until this is fixed, requests use the value unchanged.",
  },
  "method-duplicate": {
    severity: "warning",
    cause:
      "Two methods have the same id. Logs and errors identify methods by their ids.",
    fix: "Set id to the API name, the resource names and the method name, joined with dots.",
  },
  "document-id": {
    severity: "warning",
    cause: "The id of a document must be <name>:<version>.",
    fix: "Correct the id, the name or the version of the document. Until this is fixed, the id is ignored.",
  },
  "document-label": {
    severity: "warning",
    cause:
      "The format does not define this label; it defines limited_availability, labs and deprecated.",
    fix: "Remove the label.",
  },
  "document-protocol": {
    severity: "warning",
    cause: "The format does not define this protocol; it defines only rest.",
    fix: "Set protocol to rest. Until this is fixed, it is ignored.",
  },
  "schema-id": {
    severity: "warning",
    cause:
      "The id of a schema must be equal to its key in `schemas`, because tools differ in which of the two $ref refers to.",
    fix: "Correct the id. Until this is fixed, types have the name of the key, and $ref can contain the key or the id.",
  },
  "limit-invalid": {
    severity: "warning",
    cause:
      "The pattern, minimum, maximum or maxSize, or a regular expression as format, is invalid.",
    fix: "Correct the value. Until this is fixed, values are not checked against it.",
  },
  "path-limit": {
    severity: "error",
    cause: "The path or flatPath has more than 1,000 segments.",
    fix: "Shorten the path.",
  },
  "method-undefined": {
    severity: "error",
    cause: "The method has no path, so it can't be called.",
    fix: "Add the field `path` to the method, relative to `servicePath`.",
  },
  "route-conflict": {
    severity: "warning",
    cause:
      "Two methods have the same HTTP method, and their paths match the same requests.",
    fix: "Change one of the paths. Until this is fixed, the first method in the document receives the requests.",
  },
  "route-overlap": {
    severity: "info",
    cause:
      "The paths of two methods allow any number of segments, so some requests match both paths.",
    fix: "Add a flatPath, which determines the number of segments.",
  },
  "pattern-unsupported": {
    severity: "info",
    cause:
      "The pattern is longer than 2,000 characters, has too many repetitions, or uses syntax that can't be matched in bounded time, such as back-references or lookaround.",
    fix: "Simplify the pattern. Until this is fixed, the server accepts every value.",
  },
  "name-changed": {
    severity: "info",
    cause:
      "Another declaration already uses the name, or the name is not a TypeScript identifier, so the generated name differs.",
    fix: "No action is required; requests and responses use the original name.",
  },
  "paging-ambiguous": {
    severity: "info",
    cause:
      "A response page has several lists; the generator chose one of them as the list of items.",
    fix: "To read a different list, iterate over the pages with .pages().",
  },
  "extension-invalid": {
    severity: "warning",
    cause:
      "An x- key does not have the form described in specs/README.md, or contradicts the document.",
    fix: "Correct the value. Until this is fixed, the key is ignored.",
  },
  "extension-unresolved": {
    severity: "warning",
    cause:
      "The value of an x- key contains a name that the document does not declare.",
    fix: "Declare the name or correct it. Until this is fixed, the key is ignored.",
  },
  "api-duplicate": {
    severity: "error",
    cause:
      "Two documents describe the same version of an API; the existing output is unchanged.",
    fix: "Generate only one of the documents, or use a different --out for each document.",
  },
  "api-case": {
    severity: "error",
    cause:
      "Names or versions of documents differ only in case, so their folders conflict on file systems that ignore case; the existing output is unchanged.",
    fix: "Use a different --out for each document, or delete the folder that is not needed.",
  },
  "target-kept": {
    severity: "info",
    cause:
      "The folder of the API contains a target that --target does not list; all targets in a folder are generated together.",
    fix: "Use --prune to remove the output of targets that --target does not list.",
  },
  "output-foreign": {
    severity: "error",
    exit: 2,
    cause:
      "A file that was not generated already exists at the path of an output file.",
    fix: "Move the file, choose a different --out, or overwrite it with --force.",
  },
  "site-folder": {
    severity: "error",
    exit: 2,
    cause:
      "The folder contains files that are not part of a generated site, or it is a link.",
    fix: "Set --out to a new or empty folder, or to the folder of a site that gen docs wrote.",
  },
  "output-unwritable": {
    severity: "error",
    exit: 2,
    cause: "The output folder can't be written, or another run has locked it.",
    fix: "Check permissions and free space, then run the command again; all existing files are complete.",
  },
  "output-edited": {
    severity: "warning",
    cause: "An obsolete generated file was edited, so it was not deleted.",
    fix: "Delete the file, or use --force.",
  },
  "manifest-invalid": {
    severity: "warning",
    cause:
      "The manifest in the output folder can't be parsed, or is not a file.",
    fix: "Delete the manifest and run `gen` again; the new manifest includes existing files that are identical to the new output.",
  },
  "output-drift": {
    severity: "error",
    cause: "The output is not up to date with the documents and options.",
    fix: "Run `gen` again.",
  },
  "template-unknown": {
    severity: "error",
    exit: 2,
    cause: "No built-in template has this name.",
    fix: "Use the name of a built-in template.",
  },
  "template-invalid": {
    severity: "error",
    exit: 2,
    cause: "The template can't be compiled or rendered.",
    fix: "Correct the template; only tags of the form {{name}} can print values.",
  },
  "config-syntax": {
    severity: "error",
    exit: 2,
    cause: "The config file can't be read, or is neither YAML nor JSON.",
    fix: "Correct the file at the reported position; each service has a section in the file, such as `marketplace:`.",
  },
  "config-unknown": {
    severity: "error",
    exit: 2,
    cause: "The config file has a section for a service that does not exist.",
    fix: "Use a name that `gen serve --help` lists.",
  },
  "config-invalid": {
    severity: "error",
    exit: 2,
    cause: "The setting does not exist, or its value is invalid.",
    fix: "Correct or remove the setting at the reported position.",
  },
  "listen-failed": {
    severity: "error",
    exit: 2,
    cause:
      "The network address is already in use, or this process is not permitted to use it.",
    fix: "Choose a different port or host: with --port and --host, or in the setting that the message names; --port 0 selects a free port.",
  },
  "store-unavailable": {
    severity: "error",
    exit: 2,
    cause: "The store can't be opened.",
    fix: "Stop the process that uses the folder, or correct --data and --store.",
  },
  "admin-refused": {
    severity: "error",
    exit: 2,
    cause: "The service rejected the request; nothing was changed.",
    fix: "Correct the input that is mentioned in the message, and try again.",
  },
  "admin-unreachable": {
    severity: "error",
    exit: 2,
    cause: "The admin API of the server can't be used.",
    fix: "Check --admin and the token in GEN_ADMIN_TOKEN, and that the server is running.",
  },
  "scaffold-server-missing": {
    severity: "error",
    exit: 2,
    cause:
      "The generated server code, which declares the type of the service, was not found.",
    fix: "Run `gen` with --target server, or set --server or --generated.",
  },
  "scaffold-syntax": {
    severity: "error",
    exit: 2,
    cause: "The file has syntax errors, or is not UTF-8.",
    fix: "Correct the file; it was not changed.",
  },
  "scaffold-no-service": {
    severity: "error",
    exit: 2,
    cause: "The file does not declare a value of the generated service type.",
    fix: "Add the generated type to the declaration of the service, or choose a different --out; the file was not changed.",
  },
  "scaffold-several-services": {
    severity: "error",
    exit: 2,
    cause: "The file declares several values of the generated service type.",
    fix: "Keep one of the values and move the others to other files; the file was not changed.",
  },
  "scaffold-unclear": {
    severity: "error",
    exit: 2,
    cause:
      "A spread, a computed key or a base class may already define the handler.",
    fix: "Add the handler explicitly, or use a literal key; the file was not changed.",
  },
  "scaffold-elsewhere": {
    severity: "warning",
    cause:
      "The handlers of the resource are defined in a different file, so missing handlers can't be added to them.",
    fix: "Add the handler in that file. Until this is fixed, requests get status 501.",
  },
  "scaffold-opaque": {
    severity: "warning",
    cause:
      "The handlers of the resource are created by an expression that can't be analyzed.",
    fix: "Check that the expression creates all handlers; requests to missing handlers get status 501.",
  },
  "scaffold-stale": {
    severity: "warning",
    cause:
      "The document no longer contains the method or resource of the handler.",
    fix: "Remove the handler.",
  },
  "mock-clash": {
    severity: "error",
    exit: 2,
    cause:
      "Two APIs have paths in common, so requests to a server for both APIs are ambiguous.",
    fix: "Use --prefix to serve each API below /<name>/<version>/, or start a mock for each API.",
  },
  "mock-data": {
    severity: "error",
    exit: 2,
    cause:
      "The data, the handlers or the latency of a mock do not fit the described API, or the data can't be read.",
    fix: "Correct the value that the message names. Data contains a list of resources for each collection, keyed by the name or the path of the collection.",
  },
  // Codes for the config file of `gen`.
  "config-missing": {
    severity: "error",
    exit: 2,
    cause:
      "No config file was found. `gen` needs a config file, unless --spec is set.",
    fix: "Run `gen init` to create a config, or set --spec and --out; `gen --help` lists all options.",
  },
  "config-ambiguous": {
    severity: "error",
    exit: 2,
    cause:
      "The folder contains several config files, but only one can be used.",
    fix: "Delete the other files, or choose one with --config.",
  },
  "config-file": {
    severity: "error",
    exit: 2,
    cause: "The config file can't be read, parsed or run.",
    fix: "Correct the file at the reported position.",
  },
  "config-key": {
    severity: "error",
    exit: 2,
    cause: "The config contains a key that is not supported at this position.",
    fix: "Correct or remove the key; docs/config.md lists all keys.",
  },
  "config-value": {
    severity: "error",
    exit: 2,
    cause: "A value in the config is invalid, or a required key is missing.",
    fix: "Correct the value; docs/config.md lists the allowed values of all keys.",
  },
  "config-empty": {
    severity: "error",
    exit: 2,
    cause: "The config lists no APIs to generate.",
    fix: "Add an API: `gen add drive:v3`, or an entry of `apis` with a `source`.",
  },
  "config-out": {
    severity: "error",
    exit: 2,
    cause: "Two jobs have the same output folder.",
    fix: "Set `out` to a different folder for each job; folders can be nested.",
  },
  "config-api": {
    severity: "error",
    exit: 2,
    cause: "The config contains no API of this name in `apis`.",
    fix: "Correct the name, or add the API to the config.",
  },
  "document-missing": {
    severity: "error",
    exit: 1,
    cause:
      "The document was not fetched, or its file was deleted. Documents are not fetched with --frozen, --check or --dry-run.",
    fix: "Run `gen fetch` and commit the document, or set `source` to a local file.",
  },
  "init-exists": {
    severity: "error",
    exit: 2,
    cause: "A config file exists, and `gen init` does not replace it.",
    fix: "Edit the file, or run `gen init --force` to replace it.",
  },
  "init-script": {
    severity: "warning",
    cause:
      "The npm script was not added, because package.json can't be changed safely.",
    fix: 'Add the script `"generate": "gen"` to package.json.',
  },
  // Codes for remote documents.
  "remote-refused": {
    severity: "error",
    exit: 2,
    cause:
      "The URL is invalid, does not use https, refers to an address that is not public, or contains credentials.",
    fix: "Correct the URL. For a server that you trust, add --allow-http or --allow-private.",
  },
  "remote-header": {
    severity: "error",
    exit: 2,
    cause: "A request header is not configured correctly.",
    fix: "Correct GEN_HEADERS or `headers` in the config, and set the environment variables to which their values refer.",
  },
  "remote-unknown": {
    severity: "error",
    exit: 2,
    cause: "The API directory does not contain this API or version.",
    fix: "Correct the name and version, or add the URL of the document as the source.",
  },
  "remote-gone": {
    severity: "error",
    cause: "The server no longer publishes the document of the API.",
    fix: "Use a published version of the API, or remove the API with `gen remove`. The stored document can still be generated.",
  },
  "remote-failed": {
    severity: "error",
    cause: "The server could not be reached, or responded with an error.",
    fix: "Check the URL, the network and the proxy (HTTPS_PROXY, NO_PROXY); --offline uses cached documents.",
  },
  "remote-response": {
    severity: "error",
    cause:
      "The response is incomplete, too large, or not a description document.",
    fix: "Request the URL with another client and compare the responses; a proxy or login page can replace the document.",
  },
  "remote-offline": {
    severity: "error",
    cause: "The document is not in the cache of this user.",
    fix: "Run the command once without --offline, or commit the fetched documents.",
  },
  "remote-stale": {
    severity: "warning",
    cause:
      "The server is unavailable, so an earlier response from the cache is used.",
    fix: "Run the command again when the server is available.",
  },
  "remote-mismatch": {
    severity: "error",
    cause:
      "The document describes a different API or version than the requested one.",
    fix: "Add the API by the name and version in the document, or by the URL of the document.",
  },
  "remote-older": {
    severity: "error",
    cause:
      "The fetched revision is older than the locked one, so the update would undo changes. Some servers alternate between revisions.",
    fix: "Run the command again later, or accept the older revision with `gen fetch --force`.",
  },
  "remote-shrunk": {
    severity: "error",
    cause:
      "The fetched document has lost more than half of the methods or schemas of the stored document, so an update would delete most of the output. The server may have a fault.",
    fix: "Compare the documents, then run the command again later, or accept the loss with `gen fetch --force`.",
  },
  "lock-invalid": {
    severity: "error",
    exit: 2,
    cause: "The lock file is damaged or contains a merge conflict.",
    fix: "Resolve the conflict at the reported position, or restore the file; then run `gen fetch`.",
  },
  "lock-mismatch": {
    severity: "error",
    exit: 1,
    cause:
      "The fetched document does not match the lock file, or the lock file does not contain the API.",
    fix: "Run `gen fetch` and commit the documents with the lock file. Change documents with patches instead of editing them.",
  },
  usage: {
    severity: "error",
    exit: 2,
    cause: "The command line is invalid.",
    fix: "Run the command with --help to see its arguments and options.",
  },
  // Codes for the selection of methods and for patches of documents.
  "select-invalid": {
    severity: "error",
    exit: 2,
    cause: "A selector in include or exclude is not a valid glob.",
    fix: "Correct the selector; docs/selection.md describes the syntax.",
  },
  "select-unmatched": {
    severity: "error",
    exit: 2,
    cause: "No method of the document matches the selector.",
    fix: "Correct or remove the selector.",
  },
  "select-empty": {
    severity: "error",
    exit: 2,
    cause: "The selectors in exclude match all included methods.",
    fix: "Remove a selector from exclude, or omit the document.",
  },
  "patch-unreadable": {
    severity: "error",
    exit: 2,
    cause: "The patch file is missing, can't be read, or is not UTF-8 text.",
    fix: "Check the path of the patch file.",
  },
  "patch-syntax": {
    severity: "error",
    exit: 4,
    cause: "The patch file is neither YAML nor JSON.",
    fix: "Correct the file at the reported position.",
  },
  "patch-invalid": {
    severity: "error",
    exit: 4,
    cause:
      "The patch file has an unknown key or an invalid value, or it makes the document invalid.",
    fix: "Correct the file at the reported position; docs/patches.md describes the operations.",
  },
  "patch-stale": {
    severity: "error",
    exit: 4,
    cause:
      "The document no longer contains the value that the operation expects.",
    fix: "Compare the operation with the document, then correct or remove it.",
  },
  "patch-upstream": {
    severity: "warning",
    cause:
      "The document already contains the change, probably because its authors corrected it. The operation changes nothing.",
    fix: "Remove the operation, or run `gen patch prune`.",
  },
  "patch-conflict": {
    severity: "error",
    exit: 4,
    cause: "Two operations change the same value.",
    fix: "Remove one of the operations, or combine them.",
  },
  "patch-unused": {
    severity: "error",
    exit: 4,
    cause:
      "No document in the run has the name and version that the patch declares.",
    fix: "Correct the key `api`, or remove the patch.",
  },
  "patch-revision": {
    severity: "info",
    cause:
      "The patch was written for another revision of the document. All of its operations still apply.",
    fix: "Check that the patch is still needed, then update its key `revision`.",
  },
  "diff-git": {
    severity: "error",
    exit: 2,
    cause:
      "git can't read the revision or the path, or the working directory is not in a repository.",
    fix: "Check the revision and the path; the path is relative to the working directory. Shallow clones contain only some revisions.",
  },
  "diff-accept-expired": {
    severity: "warning",
    cause: "The date `until` of an entry of `diff.accept` has passed.",
    fix: "Fix the code that the change affects and remove the entry, or set a later date.",
  },
  "diff-accept-unused": {
    severity: "info",
    cause:
      "No change of the compared documents has this rule and object, for example because the change is in both documents.",
    fix: "Remove the entry once no branch needs it.",
  },
  "uses-no-files": {
    severity: "error",
    exit: 2,
    cause:
      "The globs of --uses or `diff.uses` match no TypeScript or JavaScript file.",
    fix: "Correct the globs; they are relative to the working directory, and files in node_modules never match.",
  },
  "uses-unexplained": {
    severity: "warning",
    cause:
      "The compiler finds an error with the generated code of the new document that no reported change causes. The policy can omit the change (`rules`).",
    fix: "Generate the code and fix the error. If the policy omits no change, report the documents and the code as a bug of gen diff.",
  },
  "uses-nothing": {
    severity: "warning",
    cause:
      "No file of --uses imports generated code of the APIs, or the output folder is unknown.",
    fix: "Check the globs. Without a config, the output folder must contain the manifest that `gen` writes.",
  },
  "diff-ignore-invalid": {
    severity: "error",
    exit: 2,
    cause:
      "The file passed as --ignore can't be read, or one of its lines is not a fingerprint.",
    fix: "Write one fingerprint per line, as printed by `gen diff`; comments start with #.",
  },
  "diff-ignore-unused": {
    severity: "error",
    exit: 2,
    cause:
      "No change has this fingerprint, so this line could hide a later change.",
    fix: "Remove the line.",
  },
  // Codes for exports to OpenAPI and JSON Schema.
  "export-renamed": {
    severity: "info",
    cause:
      "The name contains characters that OpenAPI does not allow, or another declaration already uses the name.",
    fix: "No action is required; the extension x-discovery-id or x-discovery-name contains the original name.",
  },
  "export-degraded": {
    severity: "info",
    cause:
      "OpenAPI or JSON Schema has no keyword for this part of the document; only the first such part of a document is reported.",
    fix: "No action is required; the exported schema allows more values, and an extension x-discovery-… or a $comment contains the original.",
  },
  "export-path-shared": {
    severity: "warning",
    cause:
      "OpenAPI does not support the HTTP method, or another method has the same path and HTTP method; OpenAPI allows only one operation for each combination.",
    fix: "Read the operation from the extension x-discovery-operations of the path; most generators ignore extensions.",
  },
  // Codes for comparisons of documents.
  "diff-document": {
    severity: "error",
    cause:
      "The name is not in the lock file, or the locked document was edited and is neither in the Git history nor in the cache.",
    fix: "Check the name. Commit documents with the lock file, or compare in a clone with the complete history.",
  },
  internal: {
    severity: "error",
    exit: 5,
    cause: "The generator has a bug.",
    fix: "Report the bug with the document, or with the part of the document at the pointer.",
  },
} as const satisfies { readonly [code: string]: CatalogueEntry };

/**
 * Diagnostic code, such as `json-syntax`. Codes do not change between releases.
 */
export type Code = keyof typeof rows;

/** Severity, cause, fix and exit code of each diagnostic code. */
export const catalogue: Readonly<Record<Code, CatalogueEntry>> = rows;
