import type { Random } from "./random.js";

const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";

const ADJECTIVES =
  "amber brisk calm daring eager faint gentle hazel ivory jolly keen lively mellow noble olive plain quiet rapid silver tidy".split(
    " ",
  );
const NOUNS =
  "acorn badger cedar delta ember falcon garden harbor island juniper kettle lantern meadow nectar otter pebble quarry river summit thicket".split(
    " ",
  );
const FIRST_NAMES =
  "Ada Boris Chen Dalia Emil Fatima Goran Hana Ines Jonas".split(" ");
const LAST_NAMES =
  "Abbott Brandt Costa Dubois Eriksen Fischer Garcia Hoffmann Ito Jensen".split(
    " ",
  );

type TextMaker = (random: Random) => string;

/**
 * Pairs of a pattern for field names and a function that generates a string for
 * a field without a format. The first matching pattern applies.
 */
const CONVENTIONS: readonly (readonly [name: RegExp, make: TextMaker])[] = [
  [/e-?mail(address)?$/i, email],
  [/^etag$/i, (random) => `"${random.text(16, HEX)}"`],
  [/(url|uri|link|href|website)s?$/i, url],
  [/^(user|login)_?(name)?$/i, (random) => pair(random, ".")],
  [/^(given|first)_?name$/i, (random) => random.pick(FIRST_NAMES)],
  [/^(family|last)_?name$/i, (random) => random.pick(LAST_NAMES)],
  [/^(full_?name|author|owner_?name|person)$/i, person],
  [/(display_?name|title|subject|summary|headline|label)$/i, heading],
  [/(description|text|comment|content|body|snippet|message)$/i, sentence],
  [/(mime|content)_?type$/i, () => "text/plain"],
  [/(time_?stamp|date_?time|time|_at)$/i, (random) => instant(random, 2024)],
  [/date$/i, (random) => instant(random, 2024).slice(0, 10)],
  [/time_?zone$/i, () => "Etc/UTC"],
  [/(language|locale)(_?code)?$/i, () => "en"],
  [/^region$/i, () => "us-central1"],
  [/^zone$/i, () => "us-central1-a"],
  [/(country|region)_?(code)?$/i, () => "US"],
  [/currency(_?code)?$/i, () => "EUR"],
  [/phone(_?number)?$/i, (random) => `+1555010${random.text(4, DIGITS)}`],
  [/(ip|ip_?address)$/i, (random) => `192.0.2.${1 + random.below(254)}`],
  [/(host|domain)(_?name)?$/i, (random) => `${pair(random, "-")}.example.com`],
  [
    /(md5|sha\d*|checksum|hash|digest|fingerprint)/i,
    (random) => random.text(32, HEX),
  ],
  [/colou?r$/i, (random) => `#${random.text(6, HEX)}`],
  [/version$/i, (random) => `1.${random.below(10)}.${random.below(10)}`],
  [/(^|_)ids?$|[a-z](Id|ID)s?$/, (random) => random.text(12, LOWER)],
  [/(token|key|secret|cursor)$/i, (random) => random.text(24, LOWER)],
  [/name$/i, (random) => pair(random, "-")],
];

/** Returns a plausible string for a field or parameter with this name. */
export function textFor(name: string, random: Random): string {
  const convention = CONVENTIONS.find(([form]) => form.test(name));
  return (convention?.[1] ?? ((source: Random) => pair(source, " ")))(random);
}

/**
 * Returns a random identifier of 12 characters: letters and digits, or only
 * digits.
 */
export function identifierOf(random: Random, isNumber: boolean): string {
  return isNumber
    ? `${1 + random.below(8)}${random.text(11, DIGITS)}`
    : random.text(12, LOWER);
}

/**
 * Returns a random time in the given year as an RFC 3339 string in UTC, without
 * fractional seconds.
 */
export function instant(random: Random, year: number): string {
  const start = Date.UTC(year, 0, 1);
  const second = random.below(365 * 24 * 3600);
  return new Date(start + second * 1000).toISOString().replace(".000Z", "Z");
}

function pair(random: Random, separator: string): string {
  return `${random.pick(ADJECTIVES)}${separator}${random.pick(NOUNS)}`;
}

function person(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}

function email(random: Random): string {
  return `${person(random).toLowerCase().replace(" ", ".")}@example.com`;
}

function url(random: Random): string {
  return `https://www.example.com/${pair(random, "-")}`;
}

function heading(random: Random): string {
  const text = pair(random, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(random: Random): string {
  return `${heading(random)} and ${pair(random, " ")}.`;
}
