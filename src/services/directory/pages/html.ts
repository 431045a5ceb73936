/** Markup. Texts become it by escaping only. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What can stand in a template: nothing for undefined and false. */
export type Part = Html | string | number | undefined | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Characters that turn the direction of text or can't be seen: with them a
 * description could show another command than the one that is copied.
 */
const DECEPTIVE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g;

/** Markup with values in it; every value that is no markup is escaped. */
export function html(
  strings: TemplateStringsArray,
  ...parts: readonly Part[]
): Html {
  let markup = strings[0]!;
  parts.forEach((part, index) => {
    markup += render(part) + strings[index + 1]!;
  });
  return new Html(markup);
}

/** A text in which lone surrogates, which can't be encoded, are replaced. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** A text as markup. */
export function escape(text: string): string {
  return text
    .replace(DECEPTIVE, "\ufffd")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

function render(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(render).join("");
  return escape(String(part));
}

/** Texts cut where nobody reads on. */
const MAX_TEXT = 3000;

/** A text of a description in paragraphs. */
export function paragraphs(text: string | undefined): Html | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const isCut = text.length > MAX_TEXT;
  const shown = isCut ? `${text.slice(0, MAX_TEXT)} …` : text;
  const all = shown.split(/\n\s*\n/).map((one) => html`<p>${prose(one)}</p>`);
  return html`${all}`;
}

/** The little Markdown that descriptions really have: code, and links. */
const MARKS = /`([^`\n]{1,300})`|\[([^[\]]{1,300})\]\(([^()\s]{1,500})\)/g;

function prose(text: string): Html {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, label, href] = match;
    parts.push(text.slice(at, match.index));
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    // A relative link was one on another site.
    else if (!/^https?:\/\//i.test(href!))
      parts.push(label?.replaceAll("`", ""));
    else
      parts.push(
        html`<a href="${href}" rel="noreferrer nofollow">${label}</a>`,
      );
    at = match.index + whole.length;
  }
  return html`${parts}${text.slice(at)}`;
}

/** The first sentence of a text. */
export function summary(text: string | undefined): string {
  const start = (text ?? "").trim().slice(0, 300);
  const end = /[.!?](?=\s)|\n/.exec(start);
  return end === null
    ? start.slice(0, 200)
    : start.slice(0, end.index + 1).trim();
}

/** As many pieces as fit in a page, and how many do not. */
export function fitting(
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
    const one = piece();
    size += one.markup.length;
    shown.push(one);
  }
  return { shown, left };
}
