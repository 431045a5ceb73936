import { html, type Html, type HtmlPart } from "./html.js";
import type { Links } from "./links.js";

/** Link in the breadcrumb navigation. */
export interface Crumb {
  readonly text: string;
  readonly href: string;
}

/** Parts of a page that differ between the pages of a site. */
export interface PageParts {
  /** Text of the `<title>` element. */
  readonly title: string;
  /** Breadcrumbs after the link to the home page. */
  readonly crumbs?: readonly Crumb[];
  readonly main: Html;
  /** Navigation next to the content, such as a list of an API's resources. */
  readonly aside?: Html | undefined;
  /** Name and version of the API that the page describes, for the search. */
  readonly api?: string;
  /** URL of the script with the schemas of the API. */
  readonly schemas?: string;
}

/** Parts of a page that are the same on all pages of a site. */
export interface SiteParts {
  readonly links: Links;
  /** Name of the site, which is the text of the link to its home page. */
  readonly name: string;
  readonly footer: Html;
  /**
   * Content security policy for a `<meta>` element; absent if the server sends
   * the policy as a response header.
   */
  readonly policy?: string;
}

/** Renders a page as an HTML document. */
export function layout(
  { title, crumbs = [], main, aside, api, schemas }: PageParts,
  { links, name, footer, policy }: SiteParts,
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${policy !== undefined && html`<meta http-equiv="content-security-policy" content="${policy}" />`}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${links.style}" />
        <script src="${links.script}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <nav aria-label="You are here">
            <ol>
              <li>
                <a
                  href="${links.home}"
                  ${crumbs.length === 0 && html` aria-current="page"`}
                  >${name}</a
                >
              </li>
              ${crumbs.map(crumb)}
            </ol>
          </nav>
          ${searchBox(links, api)}
          ${
            aside !== undefined &&
            html`<input
                type="checkbox"
                id="menu"
                class="hidden"
                aria-label="Menu"
              /><label for="menu" class="menu">Menu</label>`
          }
        </header>
        <div
          class="${aside === undefined ? "page" : "page with-aside"}"
          ${schemas !== undefined && html` data-schemas="${schemas}"`}
        >
          ${aside}
          <main id="main" tabindex="-1">${main}</main>
        </div>
        <footer>${footer}</footer>
      </body>
    </html> `;
}

/**
 * Renders the search box for all APIs. It is initially hidden; the script of
 * the page shows it, because the search requires the script and the search
 * index.
 */
function searchBox({ search, root }: Links, api: string | undefined): Html {
  return html`<search
    id="find"
    data-index="${search}"
    data-root="${root}"
    ${api !== undefined && html`data-api="${api}"`}
    hidden
  >
    <input
      type="search"
      id="find-text"
      role="combobox"
      aria-label="Search APIs, methods, schemas and parameters"
      aria-controls="find-results"
      aria-expanded="false"
      aria-autocomplete="list"
      placeholder="Search  /"
      autocomplete="off"
      maxlength="200"
    />
    <div
      id="find-results"
      role="listbox"
      aria-label="Search results"
      hidden
    ></div>
    <p id="find-status" class="hidden" role="status"></p>
  </search>`;
}

function crumb(
  { text, href }: Crumb,
  index: number,
  crumbs: readonly Crumb[],
): Html {
  const isLast = index === crumbs.length - 1;
  return html`<li>
    <a href="${href}" ${isLast && html` aria-current="page"`}>${text}</a>
  </li> `;
}

/**
 * Renders a form that filters the lists of a page. The script filters the lists
 * while the user types. On pages that a server renders, the server also filters
 * them when the user submits the form.
 */
export function searchForm(
  { isServed }: Links,
  query: string,
  label: string,
  count: HtmlPart,
): Html {
  return html`<form role="search" class="search">
    <label for="q">${label}</label>
    <input
      type="search"
      id="q"
      name="q"
      value="${query}"
      autocomplete="off"
      maxlength="200"
    />
    ${isServed && html`<button>Search</button>`}
    <output for="q" id="count" aria-live="polite">${count}</output>
  </form>`;
}
