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
 * The call object `C` whose values have no more than the fields `F`. Here is a
 * row for each kind of call object: how its shape says so, and what it becomes.
 * A kind that adds to the shape needs one, or its calls become `unknown`.
 */
export type SelectedCall<C, F extends string> = string extends F
  ? C
  : C extends Shaped<infer S>
    ? keyof S extends "value"
      ? Call<Select<S["value"], F>>
      : (S extends { headers: infer H }
          ? HeadedCall<Select<S["value"], F>, H>
          : unknown) &
          (S extends { linked: true }
            ? ListCall<Select<S["value"], F>>
            : unknown) &
          (S extends { moved: infer H } ? RedirectCall<H> : unknown) &
          (S extends { pages: infer K }
            ? unknown extends K
              ? PagesCall<Select<S["value"], F>>
              : PagedCall<Select<S["value"], F>, K>
            : unknown) &
          (S extends { media: true }
            ? MediaCall<Select<S["value"], F>>
            : unknown) &
          (S extends { ends: infer R }
            ? OperationCall<Select<S["value"], F>, R>
            : unknown) &
          (S extends { pieces: infer I }
            ? StreamCall<
                Select<S["value"], F>,
                SelectedElement<I, S["value"], F>
              >
            : unknown)
    : C;

/** A piece is selected from if it is what the call gives, too. */
type SelectedElement<I, T, F extends string> = [T, I] extends [I, T]
  ? Select<I, F>
  : I;

interface Shaped<S extends { value: unknown }> {
  readonly [SHAPE]?: S;
}

/**
 * What a method requires of its parameter `fields`, on top of what `P` does:
 * nothing where that is no selector, for it is required, repeated or an enum.
 *
 * @typeParam C the call object whose value has the fields.
 * @typeParam F the selector, to be inferred.
 */
export type FieldsParameter<P, C, F extends string> = P extends {
  fields: unknown;
}
  ? unknown
  : P extends { fields?: unknown }
    ? IsText<P["fields"]> extends true
      ? { fields?: CheckFields<ValueOf<C>, F> | undefined }
      : unknown
    : unknown;

/** Whether texts of any kind are meant, and nothing else. */
type IsText<T> = [T] extends [string | undefined]
  ? Record<never, 1> extends Record<Extract<T, string>, 1>
    ? true
    : false
  : false;

type ValueOf<C> = C extends Shaped<infer S> ? S["value"] : unknown;
