import type { Code } from "../../render/typescript/code.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "validator/export": ExportView;
    "validator/export.js": ExportView;
    "validator/function": FunctionView;
    "validator/json-schemas": JsonSchemasView;
    "validator/json-schemas.d": JsonSchemasView;
    "validator/json-schemas.js": JsonSchemasView;
    "validator/object": ObjectView;
    "validator/validators": ValidatorsView;
    "validator/validators.d": ValidatorsView;
    "validator/validators.js": ValidatorsView;
  }
}

/** View of the module validators. */
export interface ValidatorsView {
  readonly banner: Code;
  readonly imports: Code;
  readonly items: readonly ValidatorItem[];
  /** True if declarations without `export {}` would not be a module. */
  readonly isScript?: boolean;
}

/** View of a declaration in the module validators. Its flag selects the template. */
export type ValidatorItem =
  | ConstantView
  | (ExportView & { readonly isExport: true })
  | (ObjectView & { readonly isObject: true })
  | (FunctionView & { readonly isObject: false });

/** View of a constant. */
export interface ConstantView {
  readonly isConstant: true;
  readonly text: Code;
  /** Statement in the declaration file, if the constant is exported. */
  readonly declaration?: Code;
}

/** View of the module json-schemas. */
export interface JsonSchemasView {
  readonly banner: Code;
  readonly imports: Code;
  readonly functions: readonly JsonFunctionView[];
}

/** View of a function in the module json-schemas. */
export interface JsonFunctionView {
  readonly head: Code;
  /** Statement in the declaration file; empty in TypeScript. */
  readonly declaration?: Code;
  /** Statement that returns the JSON Schema. */
  readonly value: Code;
}

/** Forms of an exported validator in JavaScript. */
export interface ExportForms {
  /** First line of the function. */
  readonly head: Code;
  /** Statement in the declaration file. */
  readonly declaration: Code;
}

/** View of an exported validator. */
export interface ExportView extends Partial<ExportForms> {
  readonly doc: Code;
  readonly name: Code;
  readonly Options: Code;
  readonly result: Code;
  readonly call: Code;
}

/** View of a check function that consists of a list of statements. */
export interface FunctionView {
  readonly head: Code;
  readonly lines: readonly Code[];
}

/** View of a check function for an object. */
export interface ObjectView extends ObjectChecks {
  readonly head: Code;
  readonly isNullable: boolean;
  /** Statement that reports values that are not objects. */
  readonly refuse: Code;
}

/** Statements that check the properties of an object. */
export interface ObjectChecks {
  /** Statements that report missing properties. */
  readonly required: readonly Code[];
  /** True if the function contains a loop over the properties of the value. */
  readonly isWalked: boolean;
  /** True if the loop reads the values of the properties. */
  readonly usesValue: boolean;
  /** True if the loop selects statements by property name. */
  readonly isSwitch: boolean;
  readonly groups: readonly {
    readonly names: readonly Code[];
    readonly lines: readonly Code[];
  }[];
  readonly hasRest: boolean;
  /** Statements for properties that belong to no group. */
  readonly rest: readonly Code[];
}
