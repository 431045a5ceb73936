/* eslint-disable */
// biome-ignore-all lint: generated

/** Conversion between the JSON form of a value and a JavaScript type. */
export interface Codec<Wire, Value> {
  /** Converts a value from its JSON form. */
  decode(wire: Wire): Value;
  /** Converts a value to its JSON form. */
  encode(value: Value): Wire;
}
