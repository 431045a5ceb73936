/* eslint-disable */
// biome-ignore-all lint: generated

/** Both directions between the JSON form of a value and a handier one. */
export interface Codec<Wire, Value> {
  /** From the form that JSON carries. */
  decode(wire: Wire): Value;
  /** To the form that JSON carries. */
  encode(value: Value): Wire;
}
