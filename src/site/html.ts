import { replaceInvisible } from "../diagnostics/invisible.js";
import { escapeHtml } from "../diagnostics/escape-html.js";

/** HTML markup. Text must be escaped before it is added to markup. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * Value in an HTML template. Undefined and false are rendered as an empty
 * string.
 */
export type HtmlPart =
  Html | string | number | undefined | false | readonly HtmlPart[];

/** Renders a template as markup. Escapes values that are not markup. */
export function html(
  strings: TemplateStringsArray,
  ...parts: readonly HtmlPart[]
): Html {
  let markup = strings[0]!;
  parts.forEach((part, index) => {
    markup += render(part) + strings[index + 1]!;
  });
  return new Html(markup);
}

/** Replaces lone surrogates, which can't be encoded in UTF-8, with U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function render(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(render).join("");
  // A description could display a command that differs from the copied text.
  return escapeHtml(replaceInvisible(String(part)));
}

/** Returns the first sentence of a description, without marks of links and code. */
export function firstSentence(text: string | undefined): string {
  const start = (text ?? "")
    .trim()
    .slice(0, 300)
    .replace(/\[([^[\]]*)\]\([^()\s]*\)?/g, "$1")
    .replaceAll("`", "");
  const end = /[.!?](?=\s)|\n/.exec(start);
  return end === null
    ? start.slice(0, 200)
    : start.slice(0, end.index + 1).trim();
}

/**
 * Renders pieces of markup until their total size exceeds `budget` characters.
 * `left` is the number of pieces that were not rendered.
 */
export function takeFitting(
  pieces: Iterable<() => Html>,
  budget: number,
): { readonly shown: readonly Html[]; readonly left: number } {
  const shown: Html[] = [];
  let size = 0;
  let left = 0;
  for (const piece of pieces) {
    if (size > budget) {
      left++;
      continue;
    }
    const rendered = piece();
    size += rendered.markup.length;
    shown.push(rendered);
  }
  return { shown, left };
}
