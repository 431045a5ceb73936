import MarkdownIt from "markdown-it";
import { replaceInvisible } from "../diagnostics/invisible.js";
import { absoluteLinks } from "../model/infer/absolute-links.js";
import { Html, html } from "./html.js";
import { withLists } from "./inline-lists.js";

/** Maximum number of characters of a description that a page shows. */
const MAX_TEXT = 20_000;

/** Number of characters beyond which later paragraphs are folded. */
const LONG = 600;

/**
 * Markdown of descriptions. HTML is shown as text. Images would load from other
 * servers, headings would disturb the outline of the page, and indentation is
 * rarely meant as code.
 */
const markdown = new MarkdownIt({ html: false, linkify: true }).disable([
  "code",
  "heading",
  "lheading",
  "hr",
  "image",
  "reference",
]);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.validateLink = (url) => /^https?:\/\//i.test(url);
markdown.renderer.rules["link_open"] = (tokens, index, options, _, self) => {
  tokens[index]!.attrSet("rel", "noreferrer nofollow");
  return self.renderToken(tokens, index, options);
};

/** Pattern for text that Markdown may change. Other text is only escaped. */
const MARKED = /[`*_[\]>|~\\]|\n|:\/\/|(?:^|\s)(?:[-+]|\d+[.)])\s/;

/** Asterisks in patterns such as `projects/*\/locations/*`, which are not emphasis. */
const PATTERN_MARK = /(?<=\/)\*|\*(?=\/)/g;

/**
 * Renders a description. Later paragraphs of a long one are folded.
 * @param origin origin of the documentation, for links without one
 */
export function paragraphs(
  text: string | undefined,
  origin?: string,
): Html | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
  const shown = absoluteLinks(cut, origin);
  if (!MARKED.test(shown)) return html`<p>${shown.trim()}</p>`;
  const parts = shown.trim().split(/\n\s*\n/);
  const first = parts[0]!;
  const rest = parts.slice(1).join("\n\n");
  // A list or a code block can contain empty lines.
  const isOpen = (first.split("```").length - 1) % 2 === 1;
  if (shown.length <= LONG || rest === "" || isOpen)
    return new Html(rendered(shown));
  return html`${new Html(rendered(first))}
    <details class="rest">
      <summary>More</summary>
      ${new Html(rendered(rest))}
    </details>`;
}

function rendered(text: string): string {
  const source = withLists(replaceInvisible(text))
    .split("`")
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(PATTERN_MARK, "\\*"),
    )
    .join("`");
  return markdown.render(source);
}
