/* eslint-disable */
// biome-ignore-all lint: generated

/** Conversion between the JSON form of a value and a JavaScript type. */
export interface Codec<Wire, Value> {
  /** Converts from the JSON form. */
  decode(wire: Wire): Value;
  /** Converts to the JSON form. */
  encode(value: Value): Wire;
}
