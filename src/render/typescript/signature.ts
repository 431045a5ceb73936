import { Code, EMPTY } from "./code.js";
import { callOf, print } from "./layout.js";

/** Language of generated modules. */
export type Emit = "ts" | "js";

/** Name, parameters and return type of a generated function. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly SignatureParameter[];
  readonly result: string;
  /** True for a function that the file does not export. Default: false. */
  readonly isInternal?: boolean;
}

/** Parameter of a generated function. */
export interface SignatureParameter {
  readonly name: string;
  readonly type: string;
  /** Expression that replaces an omitted argument. */
  readonly default?: string;
}

/** Code for a function in a module and in its declaration file. */
export interface FunctionForms {
  /** First line of the function, such as `export function f() {`. */
  readonly head: Code;
  /** Statement for the declaration file; empty if the output is TypeScript. */
  readonly declaration: Code;
}

/**
 * Prints the first line of a function and, if the output is JavaScript, the
 * statement for the declaration file.
 */
export function functionForms(signature: Signature, emit: Emit): FunctionForms {
  return {
    head: functionHead(signature, emit),
    declaration: emit === "js" ? functionDeclaration(signature) : EMPTY,
  };
}

/**
 * Prints the first line of a function. Types are printed only if the output is
 * TypeScript. A long line is wrapped.
 */
export function functionHead(signature: Signature, emit: Emit): Code {
  const { name, parameters, result, isInternal } = signature;
  const keywords = isInternal === true ? "function" : "export function";
  const list = parameters.map((parameter) => parameterCode(parameter, emit));
  const end = emit === "js" ? " {" : `: ${result} {`;
  return new Code(print([callOf(`${keywords} ${name}`, ...list), end]));
}

function parameterCode(
  { name, type, default: value }: SignatureParameter,
  emit: Emit,
): string {
  const typed = emit === "js" ? name : `${name}: ${type}`;
  return value === undefined ? typed : `${typed} = ${value}`;
}

/** Prints the statement that declares a function in a declaration file. */
function functionDeclaration(signature: Signature): Code {
  const { name, parameters, result } = signature;
  const list = parameters.map(
    ({ name: parameter, type, default: value }) =>
      `${parameter}${value === undefined ? "" : "?"}: ${type}`,
  );
  const call = callOf(`export declare function ${name}`, ...list);
  return new Code(print([call, `: ${result};`]));
}
