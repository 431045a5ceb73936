import { Code } from "./code.js";
import { callOf, print } from "./layout.js";

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

/**
 * Prints the first line of a function, such as `export function f(): void {`. A
 * long line is wrapped.
 */
export function functionHead(signature: Signature): Code {
  const { name, parameters, result, isInternal } = signature;
  const keywords = isInternal === true ? "function" : "export function";
  const list = parameters.map(({ name: parameter, type, default: value }) =>
    value === undefined
      ? `${parameter}: ${type}`
      : `${parameter}: ${type} = ${value}`,
  );
  const call = callOf(`${keywords} ${name}`, ...list);
  return new Code(print([call, `: ${result} {`]));
}
