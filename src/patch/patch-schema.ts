import {
  COMMON_KEYS,
  FILE_KEYS,
  OPERATIONS,
  type KeyRow,
} from "./operation-table.js";
import { VALUE_TYPES } from "./value-types.js";

type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema of patch files, for editors. */
export function patchSchema(): Json {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Patch for an API description",
    description: "Changes that gen applies to a document before generation.",
    ...objectSchema(FILE_KEYS, {
      operations: {
        description: "Changes, in the order in which they are applied.",
        type: "array",
        items: { oneOf: Object.entries(OPERATIONS).map(operationSchema) },
      },
    }),
  };
}

function operationSchema([kind, { description, keys }]: readonly [
  string,
  (typeof OPERATIONS)[keyof typeof OPERATIONS],
]): Json {
  const address = { description, type: "string", minLength: 1 };
  return objectSchema({ ...keys, ...COMMON_KEYS }, { [kind]: address });
}

/** @param required schemas of the additional required keys */
function objectSchema(
  rows: Readonly<Record<string, KeyRow>>,
  required: Readonly<Record<string, Json>>,
): Json {
  const entries = Object.entries(rows);
  const properties = entries.map(([key, { type, description }]) => [
    key,
    { description, ...VALUE_TYPES[type].schema },
  ]);
  const names = entries
    .filter(([, { isRequired }]) => isRequired === true)
    .map(([key]) => key);
  return {
    type: "object",
    properties: { ...required, ...Object.fromEntries(properties) },
    required: [...Object.keys(required), ...names],
    additionalProperties: false,
  };
}
