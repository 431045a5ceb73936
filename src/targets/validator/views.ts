import type { Code } from "../../render/typescript/code.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "validator/export": ExportView;
    "validator/function": FunctionView;
    "validator/object": ObjectView;
    "validator/validators": ValidatorsView;
  }
}

/** View of validators.ts. */
export interface ValidatorsView {
  readonly banner: Code;
  readonly imports: Code;
  readonly items: readonly ValidatorItem[];
}

/** View of a declaration of validators.ts; the flag selects its template. */
export type ValidatorItem =
  | { readonly isConstant: true; readonly text: Code }
  | (ExportView & { readonly isExport: true })
  | (ObjectView & { readonly isObject: true })
  | (FunctionView & { readonly isObject: false });

/** View of an exported validator. */
export interface ExportView {
  readonly doc: Code;
  readonly name: Code;
  readonly Options: Code;
  readonly result: Code;
  readonly call: Code;
}

/** View of a check function that is a list of statements. */
export interface FunctionView {
  readonly head: Code;
  readonly lines: readonly Code[];
}

/** View of a check function of an object. */
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
  /** Prints a loop over the properties. */
  readonly isWalked: boolean;
  /** The loop reads the values of properties. */
  readonly usesValue: boolean;
  /** The loop selects statements by the name of the property. */
  readonly isSwitch: boolean;
  readonly groups: readonly {
    readonly names: readonly Code[];
    readonly lines: readonly Code[];
  }[];
  readonly hasRest: boolean;
  /** Statements for properties without a group. */
  readonly rest: readonly Code[];
}
