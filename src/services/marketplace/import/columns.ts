/** Problem with a value in an import file: what is wrong, and how to fix it. */
export class ValueProblem {
  readonly cause: string;
  readonly fix: string;

  constructor(cause: string, fix: string) {
    this.cause = cause;
    this.fix = fix;
  }
}

/** Column of an import file. */
export interface Column {
  /** Column name in CSV and member path in JSON, such as `price.regular`. */
  readonly name: string;
  readonly isRequired?: boolean;
  /** Converts the text of a CSV field to the type of the column. */
  readonly fromText: (text: string) => unknown;
  /**
   * Returns the normalized value, or a ValueProblem if the value is invalid.
   */
  readonly check: (value: unknown) => unknown;
}

type ValueType = Pick<Column, "fromText" | "check">;

const asText = (text: string): string => text;

/**
 * Returns the column type for strings of at most `max` UTF-16 code units.
 * Control characters are not allowed, except for tabs and line breaks if
 * `hasLines` is true.
 */
export function text(max: number, hasLines: boolean = false): ValueType {
  // oxlint-disable-next-line no-control-regex -- the pattern refuses control characters
  const refused = hasLines ? /[\0-\x08\x0e-\x1f\x7f]/ : /[\0-\x1f\x7f]/;
  return {
    fromText: asText,
    check: (value) => {
      if (typeof value !== "string")
        return new ValueProblem("is not a string", "write it as a string");
      if (value.length > max)
        return new ValueProblem(
          `has ${value.length} characters`,
          `use at most ${max} characters`,
        );
      if (refused.test(value) || /\p{Surrogate}/u.test(value))
        return new ValueProblem("contains control characters", "remove them");
      return value;
    },
  };
}

const URL_FIX = "use an absolute URL, such as https://example.com/a.png";

/** Column type for absolute http or https URLs. */
export const url: ValueType = {
  fromText: asText,
  check: (value) => {
    const checked = text(2048).check(value);
    if (typeof checked !== "string") return checked;
    const isWeb = /^https?:\/\//i.test(checked) && URL.canParse(checked);
    return isWeb
      ? checked
      : new ValueProblem("is not an http or https URL", URL_FIX);
  },
};

/** Column type for amounts of money: a number from 0 to 1e12. */
export const amount: ValueType = {
  fromText: (value) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  check: (value) =>
    typeof value === "number" && value >= 0 && value <= 1e12
      ? value
      : new ValueProblem(
          "is not an amount",
          "use a number from 0 to 1000000000000, such as 29.99",
        ),
};

/** Column type for positive integers. */
export const id: ValueType = {
  fromText: (value) => (/^\d+$/.test(value) ? Number(value) : value),
  check: (value) =>
    Number.isSafeInteger(value) && Number(value) > 0
      ? value
      : new ValueProblem("is not an id", "use a positive integer"),
};

/** Column type for booleans. */
export const flag: ValueType = {
  fromText: (value) =>
    ({ true: true, false: false, 1: true, 0: false })[value.toLowerCase()] ??
    value,
  check: (value) =>
    typeof value === "boolean"
      ? value
      : new ValueProblem("is not a boolean", "use true or false"),
};

/** Column type for currency codes of three letters (ISO 4217). */
export const currency: ValueType = matching(
  /^[A-Z]{3}$/,
  "is not a currency code",
  "use three capital letters, such as USD",
);

/** Column type for versions: numbers separated by dots. */
export const version: ValueType = matching(
  /^\d{1,9}(\.\d{1,9}){0,9}$/,
  "is not a version",
  "use numbers separated by dots, such as 1.4.2",
);

/** Returns the column type for strings that match a pattern. */
export function matching(
  pattern: RegExp,
  cause: string,
  fix: string,
): ValueType {
  return {
    fromText: asText,
    check: (value) =>
      typeof value === "string" && pattern.test(value)
        ? value
        : new ValueProblem(cause, fix),
  };
}

/** Returns the column type for values from a fixed list. */
export function oneOf(values: readonly string[]): ValueType {
  return {
    fromText: asText,
    check: (value) =>
      values.includes(value as string)
        ? value
        : new ValueProblem(
            "is not an allowed value",
            `use one of: ${values.join(", ")}`,
          ),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/**
 * Column type for date and time with a UTC offset (RFC 3339). Values are
 * converted to UTC.
 */
export const time: ValueType = {
  fromText: asText,
  check: (value) => {
    const isTime =
      typeof value === "string" &&
      TIME.test(value) &&
      !Number.isNaN(Date.parse(value));
    return isTime
      ? new Date(value).toISOString()
      : new ValueProblem(
          "is not a time",
          "use a time with its UTC offset, such as 2026-01-31T12:00:00Z",
        );
  },
};

/**
 * Returns the column type for lists of at most 100 values, which are separated
 * by `|` in CSV.
 */
export function list(type: ValueType): ValueType {
  return {
    fromText: (value) =>
      value.split("|").map((part) => type.fromText(part.trim())),
    check: (value) => {
      if (!Array.isArray(value))
        return new ValueProblem(
          "is not a list",
          "use a list; in CSV, separate the values with |",
        );
      if (value.length > 100)
        return new ValueProblem(
          `has ${value.length} values`,
          "use at most 100 values",
        );
      const checked = value.map((element) => type.check(element));
      return (
        checked.find((element) => element instanceof ValueProblem) ?? checked
      );
    },
  };
}
