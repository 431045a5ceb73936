/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Conversions between JSON values and JavaScript types, one for each `format`
 * in API descriptions. The client itself does not convert values, so that a
 * response can be sent back unchanged. Call the conversions where you need
 * them:
 *
 *     timestamp.decode(file.modifiedTime).getFullYear()
 */
export type { Codec } from "./codecs/codec.js";
export { bytes, urlBytes } from "./codecs/bytes.js";
export { date, type CalendarDate } from "./codecs/date.js";
export { duration, milliseconds, type Duration } from "./codecs/duration.js";
export { fieldMask } from "./codecs/field-mask.js";
export { double, int64, uint64 } from "./codecs/numbers.js";
export { instant, timestamp, type Instant } from "./codecs/timestamp.js";
