/** Maximum length of a description that is searched for values. */
const MAX_PROSE = 2000;

/**
 * Returns the values that a description lists in capital letters, such as "Valid
 * states include PENDING, RUNNING, and DONE."; empty if it lists fewer than two.
 */
export function valuesInProse(
  description: string | undefined,
): readonly string[] {
  const text = (description ?? "").slice(0, MAX_PROSE);
  const start = LISTED.exec(text);
  if (start === null) return [];
  const sentence = text.slice(start.index).split(/\.(?:\s|$)/, 1)[0]!;
  const words = sentence.match(/\b[A-Z][A-Z\d_]{2,60}\b/g) ?? [];
  const values = [...new Set(words)].filter((word) => !COMMON.has(word));
  return values.length < 2 ? [] : values;
}

/** Words before a list of values. */
const LISTED =
  /(?:valid|possible|allowed|acceptable|supported) (?:value|state|status|type)|(?:states?|status|values?) (?:include|are|can be)|one of/i;

/** Words in capital letters that are not values. */
const COMMON = new Set([
  "URL",
  "URLS",
  "API",
  "APIS",
  "JSON",
  "HTTP",
  "HTTPS",
  "UTC",
  "RFC",
  "NOT",
  "MUST",
  "THE",
  "AND",
  "XML",
  "SSL",
  "TLS",
  "DNS",
  "IAM",
  "VPC",
]);

/** States of a resource whose work is complete, best first. */
const STATES: readonly RegExp[] = [
  /^(done|completed?|succeeded|success|finished)$/i,
  /^(active|ready|running|enabled|up|available|ok|runnable|online|healthy|created|published)$/i,
];

/**
 * Returns the state of a usable resource among listed values: one of {@link
 * STATES}, otherwise the last value that does not name a failure.
 */
export function usableState(values: readonly string[]): string | undefined {
  for (const form of STATES) {
    const found = values.find((value) => form.test(value));
    if (found !== undefined) return found;
  }
  return values.filter((value) => !BAD.test(value)).at(-1);
}

const BAD =
  /unspecified|unknown|undefined|invalid|fail|error|cancel|abort|delet|reject|denied|expired|suspend|disab|terminat|stop|pending|ing$/i;
