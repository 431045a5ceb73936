/**
 * Kind of a patch operation. In a patch file, the kind is the key whose value
 * is the address of the changed value.
 */
export type OperationKind =
  | "add"
  | "replace"
  | "remove"
  | "rename"
  | "describe"
  | "require"
  | "readOnly"
  | "deprecate"
  | "paging"
  | "operation"
  | "scopes";

/** Type of the value of a key in a patch operation. */
export type ValueType =
  "any" | "text" | "boolean" | "names" | "texts" | "paging" | "operation";

/**
 * Definition of an operation's key other than the key that contains the
 * address.
 */
export interface KeyRow {
  readonly type: ValueType;
  readonly isRequired?: boolean;
  readonly description: string;
}

/** Definition of a kind of operation. */
export interface OperationRow {
  /** Description of the operation and of the address that it expects. */
  readonly description: string;
  readonly keys: Readonly<Record<string, KeyRow>>;
}

const EXPECT: Readonly<Record<string, KeyRow>> = {
  expect: {
    type: "any",
    description:
      "Value before the change. If the document contains a different value, the patch is stale.",
  },
  expectDigest: {
    type: "text",
    description:
      "First 12 or more hexadecimal digits of the SHA-256 of the value before the change, as JSON with sorted keys. Use it for long values.",
  },
};

const flag = (effect: string): Readonly<Record<string, KeyRow>> => ({
  value: { type: "boolean", description: `Default: true. False ${effect}.` },
});

/** Keys that are allowed in all operations. */
export const COMMON_KEYS: Readonly<Record<string, KeyRow>> = {
  reason: {
    type: "text",
    description: "Reason for the change, such as a link to a bug report.",
  },
};

/**
 * Definitions of the kinds of operations, keyed by kind. The patch parser and
 * the JSON Schema of patch files are derived from this table.
 */
export const OPERATIONS: Readonly<Record<OperationKind, OperationRow>> = {
  add: {
    description:
      "Adds a schema, property, parameter, field or array element at an address.",
    keys: {
      value: { type: "any", isRequired: true, description: "Value to add." },
    },
  },
  replace: {
    description: "Replaces the value at an address.",
    keys: {
      value: { type: "any", isRequired: true, description: "New value." },
      ...EXPECT,
    },
  },
  remove: {
    description: "Removes the value at an address.",
    keys: EXPECT,
  },
  rename: {
    description:
      "Renames a schema, property, parameter, method or resource, and the references to it.",
    keys: {
      to: { type: "text", isRequired: true, description: "New name." },
    },
  },
  describe: {
    description:
      "Sets the description of a schema, property, parameter, method or document.",
    keys: {
      value: {
        type: "text",
        isRequired: true,
        description: "New description.",
      },
      ...EXPECT,
    },
  },
  require: {
    description: "Marks a property or parameter as required.",
    keys: {
      ...flag("makes the property or parameter optional"),
      methods: {
        type: "names",
        description:
          "Ids of the methods that require the property in their request bodies. Default: all methods require it.",
      },
    },
  },
  readOnly: {
    description: "Marks a property as read-only.",
    keys: flag("makes the property writable"),
  },
  deprecate: {
    description: "Marks a schema, property, parameter or method as deprecated.",
    keys: flag("removes the flag `deprecated`"),
  },
  paging: {
    description: "Declares the pagination of a method.",
    keys: {
      value: {
        type: "paging",
        isRequired: true,
        description:
          "Names of the fields for pagination: `token`, `next` and `items`, or `page`, `size` and `link` (specs/README.md). Or `false` if the method has no pages.",
      },
    },
  },
  operation: {
    description:
      "Declares the result of the long-running operation that a method starts.",
    keys: {
      value: {
        type: "operation",
        isRequired: true,
        description:
          "Object whose member `response` is the name of the response schema.",
      },
    },
  },
  scopes: {
    description:
      "Declares scopes and adds them to methods. The address is a glob that matches method ids.",
    keys: {
      value: {
        type: "texts",
        isRequired: true,
        description: "Descriptions of the scopes, keyed by scope.",
      },
    },
  },
};

/** Keys that are allowed at the top level of a patch file. */
export const FILE_KEYS: Readonly<Record<string, KeyRow>> = {
  $schema: { type: "text", description: "JSON Schema of this file." },
  api: {
    type: "text",
    isRequired: true,
    description: "Name and version of the API, such as drive:v3.",
  },
  revision: {
    type: "text",
    description: "Revision of the document for which the patch was written.",
  },
  digest: {
    type: "text",
    description:
      "SHA-256 of the canonical document, in hexadecimal. If this key is set, the patch is stale for every other document.",
  },
};
