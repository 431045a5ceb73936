import type { Code } from "../../render/typescript/code.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "validator/export": ExportView;
    "validator/function": FunctionView;
    "validator/json-function": JsonFunctionView;
    "validator/json-schemas": JsonSchemasView;
    "validator/object": ObjectView;
    "validator/rules": RulesView;
    "validator/validators": ValidatorsView;
  }
}

/**
 * Template data for validators.ts, the file with the validators.
 */
export interface ValidatorsView {
  readonly banner: Code;
  readonly imports: Code;
  readonly items: readonly ValidatorItem[];
}

/**
 * Template data for a declaration in validators.ts. A flag, such as
 * `isConstant`, selects the part of the template that is rendered.
 */
export type ValidatorItem =
  | ConstantView
  | (ExportView & { readonly isExport: true })
  | (ObjectView & { readonly isObject: true })
  | (FunctionView & { readonly isObject: false });

/** Template data for a constant. */
export interface ConstantView {
  readonly isConstant: true;
  readonly text: Code;
}

/**
 * Template data for json-schemas.ts, the file with functions that return JSON
 * Schema, and with Standard JSON Schemas.
 */
export interface JsonSchemasView {
  readonly banner: Code;
  readonly imports: Code;
  readonly items: readonly JsonSchemaItem[];
}

/** Template data for rules.ts, the file with the validator of a file. */
export interface RulesView {
  readonly banner: Code;
  readonly validate: Code;
  readonly check: Code;
  readonly rules: Code;
  /** Entries of the rules other than kinds, schemas and rows. */
  readonly settings: readonly Code[];
  readonly kinds: readonly Code[];
  readonly schemas: readonly Code[];
  readonly rows: readonly Code[];
  /** Source text of the functions that apply the rules. */
  readonly engine: Code;
}

/** Template data for a declaration in json-schemas.ts. */
export type JsonSchemaItem = JsonFunctionView | ConstantView;

/** Template data for a function in json-schemas.ts. */
export interface JsonFunctionView {
  readonly head: Code;
  /** Statement that returns the JSON Schema. */
  readonly value: Code;
}

/** Template data for an exported validator. */
export interface ExportView {
  readonly doc: Code;
  readonly name: Code;
  readonly Options: Code;
  readonly result: Code;
  readonly call: Code;
}

/**
 * Template data for a check function that consists only of a list of
 * statements.
 */
export interface FunctionView {
  readonly head: Code;
  readonly lines: readonly Code[];
}

/** Template data for the check function of an object. */
export interface ObjectView extends ObjectChecks {
  readonly head: Code;
  readonly isNullable: boolean;
  /** Statement that reports a value that is not an object. */
  readonly refuse: Code;
}

/** Statements that check the properties of an object. */
export interface ObjectChecks {
  /** Statements that report missing properties. */
  readonly required: readonly Code[];
  /** True if the function contains a loop over the properties of the value. */
  readonly isWalked: boolean;
  /** True if the loop over the properties reads their values. */
  readonly usesValue: boolean;
  /** True if the loop over the properties selects statements by name. */
  readonly isSwitch: boolean;
  readonly groups: readonly {
    readonly names: readonly Code[];
    readonly lines: readonly Code[];
  }[];
  readonly hasRest: boolean;
  /** Statements for the properties that are in none of the `groups`. */
  readonly rest: readonly Code[];
}
