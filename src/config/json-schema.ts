import type { ConfigLevel, OptionRow } from "../generate/options.js";
import { API_LABEL } from "./api-name.js";
import { SECTIONS } from "./config-sections.js";
import { keysOf } from "./config-keys.js";

/** JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema (draft 7) of config files, for editors. */
export function configSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Config of gen (discovery-codegen)",
    ...levelSchema("file", {
      ...Object.fromEntries(
        SECTIONS.map(({ name, description, schema }) => [
          name,
          { description, ...schema },
        ]),
      ),
      apis: { $ref: "#/definitions/apis" },
      jobs: {
        description:
          "jobs, which run one after another (default: one job with all APIs)",
        type: "array",
        minItems: 1,
        items: { $ref: "#/definitions/job" },
      },
    }),
    required: ["apis"],
    definitions: {
      apis: {
        description:
          "APIs, keyed by name:version; an API with a source can have any label",
        type: "object",
        propertyNames: { pattern: API_LABEL.source },
        additionalProperties: {
          anyOf: [{ $ref: "#/definitions/api" }, { type: "null" }],
        },
      },
      api: levelSchema("api", {}),
      job: levelSchema("job", {
        apis: {
          description:
            "names of APIs of the config, or APIs with options (default: all APIs)",
          anyOf: [
            { type: "array", minItems: 1, items: { type: "string" } },
            { $ref: "#/definitions/apis" },
          ],
        },
      }),
    },
  };
}

function levelSchema(level: ConfigLevel, nested: Schema): Schema {
  const rows = keysOf(level).map((row) => [row.name, schemaOf(row)]);
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...Object.fromEntries(rows), ...nested },
  };
}

function schemaOf(row: OptionRow): Schema {
  const { description, default: standard } = row;
  return {
    description,
    ...valueSchema(row),
    ...(standard === undefined
      ? {}
      : { default: row.kind === "choices" ? [standard] : standard }),
  };
}

const TEXT: Schema = { type: "string", minLength: 1 };

function valueSchema({ kind, choices = [] }: OptionRow): Schema {
  switch (kind) {
    case "switch":
      return { type: "boolean" };
    case "text":
      return TEXT;
    case "choice":
      return { enum: choices };
    case "list":
      return { anyOf: [TEXT, { type: "array", items: TEXT }] };
    case "choices": {
      const name = `\\s*(?:${choices.join("|")})\\s*`;
      return {
        anyOf: [
          { enum: choices },
          { type: "array", minItems: 1, items: { enum: choices } },
          { type: "string", pattern: `^${name}(?:,${name})*$` },
        ],
      };
    }
  }
}
