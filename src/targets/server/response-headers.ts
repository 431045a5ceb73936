import type { Api, Method, Parameter } from "../../model/ir.js";
import { methodsOf } from "../../model/queries.js";
import { ownHeaders } from "./extensions.js";

/** Name of the interface with the headers that all answers may have. */
export const COMMON_HEADERS = "CommonHeaders";

/** Headers of answers, as interfaces have them: those of all methods once. */
export class AnswerHeaders {
  /** Those that every method has; none where there is but one method. */
  readonly common: readonly Parameter[];
  readonly #keys: ReadonlySet<string>;

  constructor({ root }: Api) {
    const [first, ...others] = methodsOf(root).map(ownHeaders);
    const isEverywhere = (header: Parameter): boolean =>
      others.length > 0 &&
      others.every((list) =>
        list.some((other) => keyOf(other) === keyOf(header)),
      );
    this.common = (first ?? []).filter(isEverywhere);
    this.#keys = new Set(this.common.map(keyOf));
  }

  /** Those that only this method has. */
  of(method: Method): Parameter[] {
    return ownHeaders(method).filter(
      (header) => !this.#keys.has(keyOf(header)),
    );
  }
}

/** What two headers have to have in common to be one. */
function keyOf({
  name,
  schema,
  flags,
  constraints,
  description,
}: Parameter): string {
  return JSON.stringify([name, schema, flags, constraints, description]);
}
