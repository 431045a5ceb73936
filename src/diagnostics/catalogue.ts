// Longer than other files: a table that is read row by row, and complete only in one place.

import type { Severity } from "./types.js";

/** What every finding of one code has in common. */
export interface CatalogueEntry {
  readonly severity: Severity;
  readonly cause: string;
  readonly fix: string;
  /** Exit code of a run that reports it; 3, a bad description, for other errors. */
  readonly exit?: 2 | 4 | 5;
}

/**
 * All codes. Grouped by the stage that reports them: reading, shape, model,
 * names, patches to come, writing, serving.
 */
const rows = {
  "package-missing": {
    severity: "error",
    exit: 2,
    cause: "The command needs a package that is an optional peer dependency.",
    fix: "Install the package that the message names.",
  },
  "source-missing": {
    severity: "error",
    exit: 2,
    cause: "No file, folder or glob of that name was found.",
    fix: "Check the path given to --spec; globs are relative to the working folder.",
  },
  "source-empty": {
    severity: "error",
    exit: 2,
    cause: "The folder or glob holds no .json file.",
    fix: "Point --spec at a folder with description documents, or at one file.",
  },
  "source-unreadable": {
    severity: "error",
    cause: "The operating system refused to read the file.",
    fix: "Check that the path is a file or pipe and that you may read it.",
  },
  "source-too-large": {
    severity: "error",
    cause: "The input is larger than any real description document.",
    fix: "Check that the file is the right one; the limit is 64 MiB.",
  },
  "source-unsupported": {
    severity: "error",
    exit: 2,
    cause: "This kind of source can't be read yet.",
    fix: "Download the document and give its path, or pipe it in with --spec -.",
  },
  "json-empty": {
    severity: "error",
    cause: "The input holds no text.",
    fix: "Download the document again; an interrupted download leaves an empty file.",
  },
  "json-binary": {
    severity: "error",
    cause: "The input is not UTF-8 text.",
    fix: "Give the document itself, decompressed and in UTF-8.",
  },
  "json-syntax": {
    severity: "error",
    cause: "The text is not JSON (RFC 8259).",
    fix: "Mend the text at the place shown; comments and trailing commas are not JSON.",
  },
  "json-duplicate-key": {
    severity: "warning",
    cause:
      "An object holds the same key twice; readers keep only the last one.",
    fix: "Rename or remove one of the two members.",
  },
  "kind-directory-list": {
    severity: "error",
    cause: "This is the directory's list of APIs, not the description of one.",
    fix: "Fetch the discoveryRestUrl of an entry and give that document.",
  },
  "kind-error-response": {
    severity: "error",
    cause: "A server's error answer was saved in place of the document.",
    fix: "Fetch the document again and look at the error's message.",
  },
  "kind-openapi": {
    severity: "error",
    cause: "This is an OpenAPI document, another format.",
    fix: "Use a description document of kind discovery#restDescription.",
  },
  "kind-wrong": {
    severity: "error",
    cause: "The input is JSON, but not an API description.",
    fix: "Give a document of kind discovery#restDescription.",
  },
  "kind-missing": {
    severity: "info",
    cause: "Old and hand-written documents leave kind out.",
    fix: 'Add "kind": "discovery#restDescription".',
  },
  "shape-wrong-type": {
    severity: "error",
    cause: "The field's value has a type that the format does not allow.",
    fix: "Change the value; specs/README.md names the format's fields.",
  },
  "shape-missing": {
    severity: "error",
    cause: "A field is absent without which no request can be made.",
    fix: "Add the field to the document.",
  },
  "shape-too-deep": {
    severity: "warning",
    cause: "Values are nested deeper than any reader can follow.",
    fix: "Give the inner schema a name of its own and refer to it with $ref.",
  },
  "shape-unknown-key": {
    severity: "info",
    cause: "The format does not define this key, and the generator ignores it.",
    fix: "Check the spelling; extensions start with x-.",
  },
  "legacy-shape": {
    severity: "warning",
    cause: "The field has a form that older versions of the format used.",
    fix: "Nothing has to be done; the new form is in specs/README.md.",
  },
  "ref-missing": {
    severity: "warning",
    cause: "A $ref names a schema that the document does not have.",
    fix: "Add the schema or mend the name; until then the type is unknown.",
  },
  "ref-cycle": {
    severity: "warning",
    cause: "Schemas that are nothing but references lead back to themselves.",
    fix: "Make one of them an object; until then the type is unknown.",
  },
  "schema-untyped": {
    severity: "info",
    cause: "A schema has neither type nor $ref.",
    fix: "Add a type; until then the type is unknown.",
  },
  "schema-unknown-type": {
    severity: "warning",
    cause: "The type is none of the format's types.",
    fix: "Use string, number, integer, boolean, array, object or any.",
  },
  "schema-unknown-format": {
    severity: "info",
    cause: "The format is not one that the generator knows.",
    fix: "Nothing has to be done; the value keeps its type, the format is in the comment.",
  },
  "pattern-unenforced": {
    severity: "info",
    cause:
      "The pattern has more than 1,000 ways to read a text, is longer than 2,000 characters, repeats more than 10,000 times, or has syntax whose time is not known; validators don't run it.",
    fix: "Let every repetition be followed by a character that it can't match itself.",
  },
  "schema-ambiguous": {
    severity: "info",
    cause: "The schema says two things that exclude each other.",
    fix: "Remove one of them.",
  },
  "enum-invalid": {
    severity: "info",
    cause:
      "Values, descriptions and deprecation flags of the enum don't match.",
    fix: "Give one description and one flag for every value, each value once.",
  },
  "parameter-undeclared": {
    severity: "warning",
    cause: "The path or parameterOrder names a parameter that is not declared.",
    fix: "Declare the parameter; until then a path variable is a required string.",
  },
  "parameter-location": {
    severity: "warning",
    cause: "The parameter's location does not fit the path of the method.",
    fix: "Use path for variables of the path, query for all others.",
  },
  "path-invalid": {
    severity: "warning",
    cause: "The path is not a valid URI template (RFC 6570).",
    fix: "Mend the braces; until then the text is taken as it stands.",
  },
  "method-http": {
    severity: "warning",
    cause: "The method lacks an httpMethod that can be sent.",
    fix: "Add httpMethod; until then GET is used.",
  },
  "method-verb": {
    severity: "warning",
    cause: "The httpMethod is none of those that HTTP defines for APIs.",
    fix: "Correct httpMethod; until then it is sent as it is.",
  },
  "method-duplicate": {
    severity: "warning",
    cause: "Two methods have the same id, which logs and errors name them by.",
    fix: "Give each method an id of its own: the API's name, its resources and its key, with dots.",
  },
  "document-id": {
    severity: "warning",
    cause: "The id of a document is its name and version with a colon between.",
    fix: "Correct id, name or version; name and version are used.",
  },
  "document-label": {
    severity: "warning",
    cause:
      "The format defines the labels limited_availability, labs and deprecated.",
    fix: "Remove the label.",
  },
  "document-protocol": {
    severity: "warning",
    cause: "The format defines one protocol, rest.",
    fix: "Correct protocol; the document is read as one of rest.",
  },
  "schema-id": {
    severity: "warning",
    cause: "The id of a schema is its key in schemas, which $ref refers to.",
    fix: "Correct the id; until then the key is used.",
  },
  "limit-invalid": {
    severity: "warning",
    cause: "The pattern, minimum, maximum or maxSize can't be read.",
    fix: "Correct it; until then the limit is not checked.",
  },
  "path-limit": {
    severity: "error",
    cause: "The path or flatPath has more than 1,000 segments.",
    fix: "Shorten the path.",
  },
  "method-undefined": {
    severity: "error",
    cause: "Without path a method can't be called.",
    fix: "Add path, relative to servicePath.",
  },
  "route-tie": {
    severity: "warning",
    cause:
      "Two methods have the same HTTP method and paths of the same form, so that a server can't tell them apart.",
    fix: "Change the path of one of them; until then the first one in the document gets the requests.",
  },
  "route-overlap": {
    severity: "info",
    cause:
      "The paths of two methods leave the number of their segments open, so that some requests fit both.",
    fix: "Nothing has to be done for paths of the usual length; say in the flat path how long they are.",
  },
  "pattern-unsupported": {
    severity: "info",
    cause:
      "The pattern has syntax that a server can't check in bounded time, such as references or looking around, is longer than 2,000 characters, or repeats too often.",
    fix: "Write it without; until then the server hands every value on.",
  },
  "name-changed": {
    severity: "info",
    cause: "The name is taken or is not an identifier in TypeScript.",
    fix: "Nothing has to be done; the name on the wire stays.",
  },
  "paging-ambiguous": {
    severity: "info",
    cause:
      "The page holds several lists, so that the items were chosen by rule.",
    fix: "Use .pages() where another list is wanted.",
  },
  "extension-invalid": {
    severity: "warning",
    cause:
      "An x- key does not have the form that specs/README.md gives it, or contradicts the rest of the document.",
    fix: "Mend the value; until then it counts as absent.",
  },
  "extension-unresolved": {
    severity: "warning",
    cause: "An x- key names something that the document does not have.",
    fix: "Declare it or mend the name; until then the key counts as absent.",
  },
  "api-duplicate": {
    severity: "error",
    cause:
      "Two documents describe the same name and version; the output of earlier runs is unchanged.",
    fix: "Give one of them, or generate into different folders.",
  },
  "api-case": {
    severity: "error",
    cause:
      "Names or versions differ by case alone, so that their folders are one where the file system ignores case; the output of earlier runs is unchanged.",
    fix: "Generate into different folders, or delete the folder that is not needed.",
  },
  "target-kept": {
    severity: "info",
    cause: "Output of all targets in a folder is generated together.",
    fix: "Give --prune to remove the output of targets that --target does not name.",
  },
  "output-foreign": {
    severity: "error",
    exit: 2,
    cause: "A file that was not generated stands where output belongs.",
    fix: "Move it, choose another --out, or overwrite it with --force.",
  },
  "output-unwritable": {
    severity: "error",
    exit: 2,
    cause: "The output folder can't be written, or another run holds it.",
    fix: "Check permissions and free space; the old output is untouched.",
  },
  "output-edited": {
    severity: "warning",
    cause: "A stale generated file was edited by hand and is kept.",
    fix: "Delete it yourself, or with --force.",
  },
  "manifest-invalid": {
    severity: "warning",
    cause: "The manifest in the output folder can't be read, or is not a file.",
    fix: "Delete it; files that equal the new output are taken over.",
  },
  "staging-foreign": {
    severity: "warning",
    cause:
      "A repository, another user or another machine left it; nothing in it is obeyed.",
    fix: "Delete it, unless it has files that you need.",
  },
  "output-drift": {
    severity: "error",
    cause: "The output differs from what the documents and options give.",
    fix: "Generate it again.",
  },
  "template-unknown": {
    severity: "error",
    exit: 2,
    cause: "A file in the templates folder overrides no template.",
    fix: "Use the name of a template that ships with the package.",
  },
  "template-invalid": {
    severity: "error",
    exit: 2,
    cause: "The template can't be compiled or rendered.",
    fix: "Mend the template; values reach output through {{value}} only.",
  },
  "config-syntax": {
    severity: "error",
    exit: 2,
    cause: "The config file is neither YAML nor JSON, or can't be read.",
    fix: "Mend the file at the place shown: one part per service, such as `marketplace:`.",
  },
  "config-unknown": {
    severity: "error",
    exit: 2,
    cause: "The config file has a part for a service that does not exist.",
    fix: "Use the names that `gen serve --help` lists.",
  },
  "config-invalid": {
    severity: "error",
    exit: 2,
    cause: "A service does not know the setting, or can't use its value.",
    fix: "Correct the value at the place shown, or leave it out.",
  },
  "listen-failed": {
    severity: "error",
    exit: 2,
    cause: "The address is taken by another process, or must not be used.",
    fix: "Choose another --port or --host; --port 0 takes a free one.",
  },
  "store-unavailable": {
    severity: "error",
    exit: 2,
    cause: "The store can't be opened.",
    fix: "End the process that has the folder, or check --data and --store.",
  },
  "admin-refused": {
    severity: "error",
    exit: 2,
    cause: "The service can't do what was asked; nothing has changed.",
    fix: "Correct what the message names, and try again.",
  },
  "scaffold-server-missing": {
    severity: "error",
    exit: 2,
    cause: "The service is typed by the generated server, which was not found.",
    fix: "Run gen with --target server first, or say where it is with --server or --generated.",
  },
  "scaffold-syntax": {
    severity: "error",
    exit: 2,
    cause: "The file is not TypeScript in UTF-8 without mistakes.",
    fix: "Mend it; it was not touched.",
  },
  "scaffold-no-service": {
    severity: "error",
    exit: 2,
    cause:
      "The file has no value that is typed as the generated service interface.",
    fix: "Give the service that type, or choose another --out; the file was not touched.",
  },
  "scaffold-several-services": {
    severity: "error",
    exit: 2,
    cause: "The file has several values of the service's type.",
    fix: "Leave one of them in the file; it was not touched.",
  },
  "scaffold-unclear": {
    severity: "error",
    exit: 2,
    cause:
      "A spread, a computed key or a base class may hold the handler, which the text does not tell.",
    fix: "Write the handler, or the key, out beside it; the file was not touched.",
  },
  "scaffold-elsewhere": {
    severity: "warning",
    cause: "The handlers of the resource are in another file.",
    fix: "Add the handler there; until then it answers 501.",
  },
  "scaffold-opaque": {
    severity: "warning",
    cause:
      "The value of the resource is made by code that is not looked through.",
    fix: "Nothing has to be done if it has all handlers; those that are missing answer 501.",
  },
  "scaffold-stale": {
    severity: "warning",
    cause: "The document does not have the method or resource any more.",
    fix: "Remove the handler; it was not touched.",
  },
  "mock-clash": {
    severity: "error",
    exit: 2,
    cause:
      "Two APIs have paths in common, so that one server can't tell them apart.",
    fix: "Put each below /<name>/<version>/ with --prefix, or start one mock each.",
  },
  usage: {
    severity: "error",
    exit: 2,
    cause: "The command line is not understood.",
    fix: "See --help.",
  },
  internal: {
    severity: "error",
    exit: 5,
    cause: "The generator has a bug.",
    fix: "Report it with the document, or its part at the pointer.",
  },
} as const satisfies { readonly [code: string]: CatalogueEntry };

/** A stable code of the catalogue. */
export type Code = keyof typeof rows;

/** What every finding of a code has in common, by code. */
export const catalogue: Readonly<Record<Code, CatalogueEntry>> = rows;
