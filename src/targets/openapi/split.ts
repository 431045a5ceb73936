import { NameScope } from "../../model/names.js";
import {
  jsonMembers,
  type Json,
  type JsonObject,
} from "../json-schema/json.js";
import { pathSegment } from "../shared/api-folder.js";

/** File of a split document. The path is relative to the folder of the API. */
export interface DocumentFile {
  readonly path: string;
  readonly value: JsonObject;
}

const SCHEMA = "#/components/schemas/";

/**
 * Moves each path and each schema of an OpenAPI document to a separate file,
 * and adjusts the references.
 * @param suffix file extension of all files
 */
export function splitDocument(
  document: JsonObject,
  suffix: string,
): DocumentFile[] {
  const main = `openapi${suffix}`;
  const { schemas, ...components } = document["components"] as JsonObject;
  const schemaFiles = filesOf(schemas as JsonObject, suffix);
  const pathFiles = filesOf(document["paths"] as JsonObject, suffix);
  const references = (folder: string): ((ref: string) => string) => {
    return (ref) => {
      const file = ref.startsWith(SCHEMA)
        ? schemaFiles.get(ref.slice(SCHEMA.length))
        : undefined;
      if (file === undefined)
        return folder === "" ? ref : `../../${main}${ref}`;
      return folder === "schemas"
        ? file
        : `${folder === "" ? "openapi" : ".."}/schemas/${file}`;
    };
  };
  const pointers = (files: ReadonlyMap<string, string>, folder: string) =>
    jsonMembers(
      [...files].map(([name, file]) => [
        name,
        { $ref: `openapi/${folder}/${file}` },
      ]),
    );
  const parts = (
    members: Json,
    files: ReadonlyMap<string, string>,
    folder: string,
  ): DocumentFile[] =>
    Object.entries(members as JsonObject).map(([name, value]) => ({
      path: `openapi/${folder}/${files.get(name)!}`,
      value: withReferences(value, references(folder)) as JsonObject,
    }));
  return [
    {
      path: main,
      value: {
        ...document,
        paths: pointers(pathFiles, "paths"),
        components: {
          schemas: pointers(schemaFiles, "schemas"),
          ...(withReferences(components, references("")) as JsonObject),
        },
      },
    },
    ...parts(document["paths"]!, pathFiles, "paths"),
    ...parts(schemas!, schemaFiles, "schemas"),
  ];
}

/**
 * Assigns a file name to each member. The names are unique even on file systems
 * that ignore case.
 */
function filesOf(
  members: JsonObject,
  suffix: string,
): ReadonlyMap<string, string> {
  const scope = new NameScope([], true);
  return new Map(
    Object.keys(members).map((name) => {
      const words = name.replace(/[{}]/g, "").replace(/^\/+/, "");
      return [name, `${scope.reserve(pathSegment(words))}${suffix}`];
    }),
  );
}

/**
 * Schema keywords whose value is an object with keys chosen by the author of
 * the document.
 */
const NAMES: ReadonlySet<string> = new Set(["properties"]);

/**
 * Returns a copy of a part of a document in which each reference is replaced
 * with the result of `change`.
 */
function withReferences(
  value: Json,
  change: (ref: string) => string,
  key = "",
): Json {
  if (Array.isArray(value))
    return value.map((item: Json) => withReferences(item, change));
  if (typeof value !== "object" || value === null) return value;
  return jsonMembers(
    Object.entries(value as JsonObject).map(([name, member]) => {
      const isReference =
        (name === "$ref" && !NAMES.has(key)) || key === "mapping";
      return [
        name,
        isReference && typeof member === "string"
          ? change(member)
          : withReferences(member, change, NAMES.has(key) ? "" : name),
      ];
    }),
  );
}
