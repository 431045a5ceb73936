import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import { html, type Html, type Part } from "./html.js";

/** Paths of the style sheet and the script. */
export const STYLE_PATH = "/assets/directory/style.css";
export const SCRIPT_PATH = "/assets/directory/script.js";

/** Content security policy: pages can load resources only from this server. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Link in the breadcrumb navigation. */
export interface Crumb {
  readonly text: string;
  readonly href: string;
}

/** Content of a page. */
export interface PageParts {
  /** Text of the title element. */
  readonly title: string;
  /** Breadcrumbs that follow the link to the home page. */
  readonly crumbs?: readonly Crumb[];
  readonly main: Html;
}

/** Builds a response with an HTML page. */
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
          <p>As JSON: <a href="/discovery/v1/apis">list of all APIs</a></p>
        </footer>
      </body>
    </html> `;
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

/** Builds a 404 response with an HTML page. */
export function notFoundPage(subject: string): Outgoing {
  return page(
    {
      title: "Not found",
      main: html`<h1>Not found</h1>
        <p>This ${subject} does not exist. <a href="/">All APIs</a></p>`,
    },
    404,
  );
}

/**
 * Renders a search form. Submitting it searches on the server. The script of
 * the pages also filters while the user types.
 */
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
