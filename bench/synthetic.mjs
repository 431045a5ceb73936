// Synthetic description documents: they grow in one measure, and every part of the
// generator has work to do (references, enums, inline objects, lists, comments).

const PROSE =
  "Output only. Describes the state of the resource in a sentence that is long enough to be wrapped.";

function schema(index, count) {
  const reference = { $ref: `Schema${(index * 7 + 1) % count}` };
  return {
    id: `Schema${index}`,
    type: "object",
    description: `Resource number ${index}.`,
    properties: {
      child: reference,
      items: { type: "array", items: reference },
      labels: { type: "object", additionalProperties: { type: "string" } },
      size: {
        type: "string",
        format: "int64",
        description: "Output only. Number of bytes.",
      },
      state: {
        type: "string",
        enum: ["ACTIVE", "DELETED"],
        enumDescriptions: ["In use.", "Not in use."],
      },
    },
  };
}

function method(index, count) {
  const name = `Schema${index % count}`;
  return {
    id: `synthetic.r${index}.get`,
    path: `v1/r${index}/{name}`,
    flatPath: `v1/r${index}/{name}`,
    httpMethod: "GET",
    description: `Returns resource ${index}. ${PROSE}`,
    parameters: {
      name: { type: "string", required: true, location: "path" },
      filter: { type: "string", location: "query", description: PROSE },
    },
    parameterOrder: ["name"],
    response: { $ref: name },
  };
}

/** Returns a document with a number of schemas and a tenth as many methods. */
export function syntheticDocument(schemas, name = "synthetic") {
  const numbers = (count) => Array.from({ length: count }, (_, index) => index);
  return {
    kind: "discovery#restDescription",
    id: `${name}:v1`,
    name,
    version: "v1",
    title: "Synthetic",
    rootUrl: "https://synthetic.example.com/",
    servicePath: "",
    schemas: Object.fromEntries(
      numbers(schemas).map((index) => [
        `Schema${index}`,
        schema(index, schemas),
      ]),
    ),
    resources: Object.fromEntries(
      numbers(Math.ceil(schemas / 10)).map((index) => [
        `r${index}`,
        { methods: { get: method(index, schemas) } },
      ]),
    ),
  };
}
