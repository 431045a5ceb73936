/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call, SHAPE } from "./contract.js";
import type { CheckFields, Select } from "./fields.js";
import type {
  HeadedCall,
  ListCall,
  MediaCall,
  OperationCall,
  PagedCall,
  PagesCall,
  RedirectCall,
  StreamCall,
} from "./call-types.js";

/**
 * Variant of the call type `C` that resolves to only the fields `F`. Each
 * branch handles one kind of call, which is identified by the members of the
 * type at the key {@link SHAPE}. A new kind of call needs its own branch;
 * otherwise its calls have the type `unknown`.
 */
export type SelectedCall<C, F extends string> = string extends F
  ? C
  : C extends Shaped<infer S>
    ? keyof S extends "value"
      ? Call<Select<S["value"], F>>
      : (S extends { headers: infer H }
          ? HeadedCall<Select<S["value"], F>, H>
          : unknown) &
          (S extends { list: true }
            ? ListCall<Select<S["value"], F>>
            : unknown) &
          (S extends { redirect: infer H } ? RedirectCall<H> : unknown) &
          (S extends { pages: infer K }
            ? unknown extends K
              ? PagesCall<Select<S["value"], F>>
              : PagedCall<Select<S["value"], F>, K>
            : unknown) &
          (S extends { media: true }
            ? MediaCall<Select<S["value"], F>>
            : unknown) &
          (S extends { result: infer R }
            ? OperationCall<Select<S["value"], F>, R>
            : unknown) &
          (S extends { element: infer I }
            ? StreamCall<
                Select<S["value"], F>,
                SelectedElement<I, S["value"], F>
              >
            : unknown)
    : C;

/**
 * Element type of a stream of responses. If the elements have the same type as
 * the result of the call, they have only the fields `F`.
 */
type SelectedElement<I, T, F extends string> = [T, I] extends [I, T]
  ? Select<I, F>
  : I;

interface Shaped<S extends { value: unknown }> {
  readonly [SHAPE]?: S;
}

/**
 * Names that other clients accept among the parameters of a call. The types are
 * error messages, which the compiler prints for every other value. The names are
 * marked as deprecated, so that editors list them after the parameters.
 */
export interface Misplaced {
  /** @deprecated Not a parameter: use `.media()` to download content. */
  alt?: "alt: a call returns JSON; use .media() for content" | undefined;
  /** @deprecated Not a parameter: set `auth` in the options of the client or call. */
  auth?: "auth: an option of the client or call" | undefined;
  /** @deprecated Not a parameter: set `headers` in the options of the call. */
  headers?: "headers: an option of the call" | undefined;
  /** @deprecated Not a parameter: the method does not upload content. */
  media?: "media: the method does not upload content" | undefined;
  /** @deprecated Not a parameter: the method has no body. */
  requestBody?: "requestBody: the method has no body" | undefined;
  /** @deprecated Not a parameter: use `requestBody`. */
  resource?: "resource: use requestBody" | undefined;
}

/**
 * Constraints on the parameters of a method. The names that other clients
 * accept among parameters are not allowed unless the method declares them: as
 * query parameters, their values would reveal secrets or lose a body. The
 * constraint on `fields` applies only if `fields` is a field selector: an
 * optional parameter of type `string`.
 *
 * @typeParam P parameters of the method.
 * @typeParam C call type whose result has the fields.
 * @typeParam F selector, inferred from the argument.
 */
export type FieldsParameter<P, C, F extends string> = ([
  keyof P & keyof Misplaced,
] extends [never]
  ? Misplaced
  : Omit<Misplaced, keyof P>) &
  (P extends { fields: unknown }
    ? unknown
    : P extends { fields?: unknown }
      ? IsText<P["fields"]> extends true
        ? { fields?: CheckFields<ValueOf<C>, F> | undefined }
        : unknown
      : unknown);

/**
 * `true` for the types `string` and `string | undefined`; `false` for unions of
 * literals.
 */
type IsText<T> = T extends undefined
  ? true
  : T extends string
    ? {} extends { [K in T]: 1 }
      ? true
      : false
    : false;

type ValueOf<C> = C extends Shaped<infer S> ? S["value"] : unknown;
