import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import { html, type Html, type Part } from "./html.js";

/** Where the style and the script lie. */
export const STYLE_PATH = "/assets/directory/style.css";
export const SCRIPT_PATH = "/assets/directory/script.js";

/** No page asks anybody but this server for anything. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A step of the way to a page. */
export interface Crumb {
  readonly text: string;
  readonly href: string;
}

/** What a page is made of. */
export interface PageParts {
  /** Text of the title. */
  readonly title: string;
  /** The way to the page, from below the home page. */
  readonly crumbs?: readonly Crumb[];
  readonly main: Html;
}

/** A page as an answer. */
export function page(parts: PageParts, status = 200): Outgoing {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    },
    body: layout(parts).markup,
  };
}

function layout({ title, crumbs = [], main }: PageParts): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        <script src="${SCRIPT_PATH}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <nav aria-label="You are here">
            <ol>
              <li>
                <a href="/" ${crumbs.length === 0 && html` aria-current="page"`}
                  >API directory</a
                >
              </li>
              ${crumbs.map(crumb)}
            </ol>
          </nav>
        </header>
        <main id="main" tabindex="-1">${main}</main>
        <footer>
          <p>
            The same as data: <a href="/discovery/v1/apis">list of all APIs</a>
          </p>
        </footer>
      </body>
    </html> `;
}

function crumb(
  { text, href }: Crumb,
  index: number,
  all: readonly Crumb[],
): Html {
  const isLast = index === all.length - 1;
  return html`<li>
    <a href="${href}" ${isLast && html` aria-current="page"`}>${text}</a>
  </li> `;
}

/** A page that is not there. */
export function missing(what: string): Outgoing {
  return page(
    {
      title: "Not found",
      main: html`<h1>Not found</h1>
        <p>There is no ${what} here. <a href="/">All APIs</a></p>`,
    },
    404,
  );
}

/** A form that filters on the server; the script filters at once what is on the page. */
export function searchForm(query: string, label: string, count: Part): Html {
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
    <button>Search</button>
    <output for="q" id="count" aria-live="polite">${count}</output>
  </form>`;
}
