import { description } from "./generate.js";

type Json = Record<string, unknown>;

/**
 * Returns a new document that describes a file, with each extension of files
 * and one rule of each kind.
 */
export function fileDescription(): Json {
  return structuredClone(
    description({ id: "demo:v1", schemas, "x-file": file, "x-rules": rules }),
  );
}

const file = {
  root: "Settings",
  name: "a settings file",
  targets: { current: "2.0", old: "1.0" },
  defaultTarget: "current",
  modes: ["prod", "demo"],
  phases: ["install"],
  codes: {
    T01: { severity: "error", check: "unknown" },
    T02: { severity: "error", check: "type" },
    T03: { severity: "error", check: "value" },
    X01: { severity: "warning" },
  },
  kinds: {
    label: {
      meaning: "lower case letters",
      pattern: "^[a-z]+$",
      maxLength: 63,
      also: ["number"],
      code: "T03",
      empty: "error",
      never: {
        contains: ["/"],
        startsWith: "-",
        pattern: "^x-",
        message: "is not a label",
      },
    },
    host: { meaning: "a host name", address: true },
    amount: { meaning: "a quantity", quantity: true },
    path: { meaning: "a path", file: "create the file" },
  },
};

const schemas = {
  Settings: {
    id: "Settings",
    type: "object",
    "x-required": ["name"],
    properties: {
      name: {
        type: "string",
        description: "Name.",
        "x-kind": "label",
        "x-max-length": 10,
        "x-max-bytes": 20,
        "x-code": "T03",
        "x-advice": { pattern: "^[a-m]", message: "use the first letters" },
        "x-placeholder": {
          contains: "NAME",
          message: "is the sample",
          suggestion: "write your name",
        },
        "x-missing": "error",
      },
      title: {
        type: "string",
        "x-until": "1.0",
        "x-removed": "Write name.",
        "x-replaced-by": "name",
      },
      nmae: { type: "string", "x-replaced-by": "name", "x-spelling": true },
      password: { type: "string", "x-secret": true },
      address: { type: "string", "x-kind": "host" },
      key: { type: "string", "x-kind": "path" },
      size: {
        $ref: "Amount",
        "x-quantity": {
          minimum: 1,
          minimumText: "one",
          maximum: 64,
          unit: "cores",
          suffix: "m",
          suffixMeaning: "thousandths",
          suffixMeant: "",
        },
      },
      debug: {
        type: "boolean",
        "x-undocumented": true,
        "x-severity": "info",
        "x-also-written": ["dbg"],
      },
      replicas: { $ref: "Range" },
      hosts: {
        type: "array",
        "x-min-items": 1,
        "x-since": "1.0",
        "x-deprecated-since": "2.0",
        items: { $ref: "Host" },
      },
      labels: { type: "object", additionalProperties: { type: "string" } },
    },
  },
  Amount: { id: "Amount", type: "any", "x-kind": "amount" },
  Range: {
    id: "Range",
    type: "object",
    properties: {
      least: { type: "integer", minimum: "1", "x-unit": "s" },
      most: { type: "integer", maximum: "9", default: "3" },
    },
  },
  Host: {
    id: "Host",
    type: "object",
    "x-required": ["port"],
    properties: {
      name: { type: "string", pattern: "^[a-z]+$" },
      port: { type: "integer", "x-required-since": "2.0" },
    },
  },
};

const rules = [
  {
    rule: "alternatives",
    code: "X01",
    at: "",
    groups: [["key"], ["password", "address"]],
    what: "credential",
    required: true,
    when: [{ key: "debug", is: false }],
    unless: ["replicas.least"],
    severity: "error",
    modes: { prod: "error", demo: "off" },
    phases: ["", "install"],
  },
  { rule: "together", code: "X01", at: "replicas", keys: ["least", "most"] },
  {
    rule: "needs",
    code: "X01",
    at: "",
    when: [{ key: "debug", is: true }],
    keys: ["size"],
  },
  {
    rule: "ordered",
    code: "X01",
    at: "replicas",
    low: "least",
    high: "most",
    scale: "number",
    strict: true,
  },
  { rule: "unique", code: "X01", list: "hosts[]", key: "name", what: "host" },
  { rule: "same", code: "X01", keys: ["key", "password"], suggestion: "ok" },
  { rule: "moved", code: "X01", from: "title", key: "name" },
  { rule: "redundant", code: "X01", key: "address", same: "name" },
  { rule: "most", code: "X01", key: "replicas.most", most: 5, what: "is many" },
  { rule: "multiple", code: "X01", key: "replicas.most", of: 3, what: "no" },
  { rule: "required", code: "X01", key: "debug", suggestion: "add it" },
  { rule: "address", code: "X01", key: "address", suggestion: "an IP" },
  {
    rule: "forbidden",
    code: "X01",
    key: "debug",
    value: true,
    what: "is for tests",
    suggestion: "remove it",
  },
  {
    rule: "exclusive",
    code: "X01",
    keys: ["key", "password"],
    suggestion: "remove one",
  },
  {
    rule: "first",
    code: "X01",
    rules: [
      {
        rule: "set",
        code: "X01",
        keys: ["key", "password"],
        unless: ["debug"],
        what: "keys",
        why: "defaults apply",
        suggestion: "set them",
      },
    ],
  },
];
