/** Why a value can't be taken, and what could. */
export class Fault {
  readonly cause: string;
  readonly fix: string;

  constructor(cause: string, fix: string) {
    this.cause = cause;
    this.fix = fix;
  }
}

/** A column of a file: how its values are read. */
export interface Column {
  /** As in the head of a CSV file, and the path in JSON: `price.regular`. */
  readonly name: string;
  readonly isRequired?: boolean;
  /** The value of a text of CSV, which holds no types. */
  readonly fromText: (text: string) => unknown;
  /** A value that fits. */
  readonly check: (value: unknown) => unknown;
}

type Kind = Pick<Column, "fromText" | "check">;

const asText = (text: string): string => text;

/** Text of a bounded length, in characters; control characters only where lines are allowed. */
export function text(most: number, hasLines: boolean = false): Kind {
  // oxlint-disable-next-line no-control-regex -- this is what it looks for
  const refused = hasLines ? /[\0-\x08\x0e-\x1f\x7f]/ : /[\0-\x1f\x7f]/;
  return {
    fromText: asText,
    check: (value) => {
      if (typeof value !== "string")
        return new Fault("is no text", "write it as a text");
      if (value.length > most)
        return new Fault(
          `has ${value.length} characters`,
          `use ${most} at most`,
        );
      if (refused.test(value) || /\p{Surrogate}/u.test(value))
        return new Fault("holds control characters", "remove them");
      return value;
    },
  };
}

const URL_FIX = "write an absolute URL such as https://example.com/a.png";

/** An absolute URL of the web. */
export const url: Kind = {
  fromText: asText,
  check: (value) => {
    const found = text(2048).check(value);
    if (typeof found !== "string") return found;
    const isWeb = /^https?:\/\//i.test(found) && URL.canParse(found);
    return isWeb ? found : new Fault("is no URL of the web", URL_FIX);
  },
};

/** A number from 0 on; an amount of money. */
export const amount: Kind = {
  fromText: (value) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  check: (value) =>
    typeof value === "number" && value >= 0 && value <= 1e12
      ? value
      : new Fault("is no amount", "write a number such as 29.99"),
};

/** A whole number from 1 on. */
export const id: Kind = {
  fromText: (value) => (/^\d+$/.test(value) ? Number(value) : value),
  check: (value) =>
    Number.isSafeInteger(value) && Number(value) > 0
      ? value
      : new Fault("is no id", "write a whole number from 1 on"),
};

/** True or false. */
export const flag: Kind = {
  fromText: (value) =>
    ({ true: true, false: false, 1: true, 0: false })[value.toLowerCase()] ??
    value,
  check: (value) =>
    typeof value === "boolean"
      ? value
      : new Fault("is neither true nor false", "write true or false"),
};

/** Three letters of ISO 4217. */
export const currency: Kind = matching(
  /^[A-Z]{3}$/,
  "is no currency code",
  "write three capitals such as USD",
);

/** Numbers separated by dots. */
export const version: Kind = matching(
  /^\d{1,9}(\.\d{1,9}){0,9}$/,
  "is no version",
  "write numbers with dots such as 1.4.2",
);

function matching(pattern: RegExp, cause: string, fix: string): Kind {
  return {
    fromText: asText,
    check: (value) =>
      typeof value === "string" && pattern.test(value)
        ? value
        : new Fault(cause, fix),
  };
}

/** One of some words. */
export function oneOf(words: readonly string[]): Kind {
  return {
    fromText: asText,
    check: (value) =>
      words.includes(value as string)
        ? value
        : new Fault(
            "is none of the known words",
            `write one of: ${words.join(", ")}`,
          ),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** A time with its zone (RFC 3339), given on in UTC. */
export const time: Kind = {
  fromText: asText,
  check: (value) => {
    const isTime =
      typeof value === "string" &&
      TIME.test(value) &&
      !Number.isNaN(Date.parse(value));
    return isTime
      ? new Date(value).toISOString()
      : new Fault(
          "is no time",
          "write it with its zone, such as 2026-01-31T12:00:00Z",
        );
  },
};

/** Several values of a kind, separated by `|` in CSV; a hundred at most. */
export function list(kind: Kind): Kind {
  return {
    fromText: (value) =>
      value.split("|").map((part) => kind.fromText(part.trim())),
    check: (value) => {
      if (!Array.isArray(value))
        return new Fault(
          "is no list",
          "write a list; in CSV separate the values by |",
        );
      if (value.length > 100)
        return new Fault(`has ${value.length} values`, "use 100 at most");
      const checked = value.map((one) => kind.check(one));
      return checked.find((one) => one instanceof Fault) ?? checked;
    },
  };
}
