import { summaryText, type ApiChanges } from "./api-changes.js";
import { byNameAndVersion, preferredIds } from "./versions.js";
import type { DocumentSummary } from "./document-summary.js";
import { firstSentence, html, type Html } from "./html.js";
import { searchForm } from "./layout.js";
import type { Links } from "./links.js";

/**
 * Maximum number of APIs in a list with descriptions. A longer list has only
 * one line for each API, which keeps the page small.
 */
const MANY_APIS = 400;

/**
 * Renders the list of all APIs, or of the APIs that match a search query.
 * @param news markup to show before the list
 */
export function homeMain(
  summaries: readonly DocumentSummary[],
  links: Links,
  query: string,
  news?: Html,
): Html {
  const groups = groupByName(summaries, preferredIds(summaries));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = groups.filter((group) => isMatch(group, words));
  const count = `${matches.length} of ${groups.length}`;
  const isLong = groups.length > MANY_APIS;
  return html`<h1>API directory</h1>
    <p class="lead">${groups.length} APIs in ${summaries.length} versions.</p>
    ${news}${search(links, query, count)}
    ${categoriesOf(matches).map(([title, members]) => category(links, title, members, isLong))}
    <p class="none" id="nothing" ${matches.length > 0 && html` hidden`}>
      No API matches.
    </p>`;
}

/**
 * Renders the form that a server evaluates. Pages whose scripts run have the search
 * of the header instead; they show the form only with the results of a query.
 */
function search(links: Links, query: string, count: string): Html | undefined {
  if (!links.isServed) return undefined;
  const form = searchForm(links, query, "Search APIs", count);
  return query === "" ? html`<noscript>${form}</noscript>` : form;
}

/** Minimum number of APIs in a category of its own. */
const MIN_CATEGORY = 3;

/** Title of the category for APIs of small categories. */
const OTHERS = "Other";

/**
 * Groups APIs by the site of their documentation, because documents name no
 * category: the largest groups first, deprecated APIs last in each. There is one
 * group without a title if all APIs have the same site.
 */
function categoriesOf(
  groups: readonly Group[],
): (readonly [title: string, groups: readonly Group[]])[] {
  const byHost = new Map<string, Group[]>();
  for (const group of groups) {
    const host = hostOf(group[0].documentationLink) ?? OTHERS;
    byHost.set(host, [...(byHost.get(host) ?? []), group]);
  }
  const large = [...byHost].filter(
    ([host, { length }]) => host !== OTHERS && length >= MIN_CATEGORY,
  );
  if (large.length === 0 || byHost.size === 1) return [["", sorted(groups)]];
  const hosts = new Set(large.map(([host]) => host));
  const rest = [...byHost].flatMap(([host, some]) =>
    hosts.has(host) ? [] : some,
  );
  large.sort(([, a], [, b]) => b.length - a.length);
  return [...large, [OTHERS, rest] as const]
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => [title, sorted(some)]);
}

function hostOf(link: string | undefined): string | undefined {
  return link !== undefined && URL.canParse(link)
    ? new URL(link).host || undefined
    : undefined;
}

function sorted(groups: readonly Group[]): Group[] {
  const isOld = ([best]: Group): boolean =>
    best.labels?.includes("deprecated") === true;
  return [...groups].sort((a, b) => Number(isOld(a)) - Number(isOld(b)));
}

function category(
  links: Links,
  title: string,
  groups: readonly Group[],
  isLong: boolean,
): Html {
  const list = html`<ul class="${isLong ? "lines" : "apis"}" data-filter>
    ${groups.map((group) => (isLong ? line(links, group) : card(links, group, title === "" ? "h2" : "h3")))}
  </ul>`;
  return title === ""
    ? list
    : html`<section data-group>
        <h2>${title} <small>${groups.length}</small></h2>
        ${list}
      </section>`;
}

/** All versions of an API, with the preferred version first. */
type Group = readonly [DocumentSummary, ...DocumentSummary[]];

function groupByName(
  summaries: readonly DocumentSummary[],
  preferred: ReadonlySet<string>,
): Group[] {
  const groups = new Map<string, DocumentSummary[]>();
  for (const summary of [...summaries].sort(byNameAndVersion)) {
    const group = groups.get(summary.name);
    if (group === undefined) groups.set(summary.name, [summary]);
    else if (preferred.has(summary.id)) group.unshift(summary);
    else group.push(summary);
  }
  return [...groups.values()] as unknown as Group[];
}

function isMatch(group: Group, words: readonly string[]): boolean {
  const text = group
    .map(({ id, title, description }) => `${id} ${title} ${description}`)
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function card(links: Links, group: Group, tag: "h2" | "h3"): Html {
  const [best] = group;
  const versions = group.map(
    (entry) =>
      html`<li>
        <a href="${links.api(entry)}"
          >${entry.version}<span class="hidden"> of ${entry.name}</span></a
        >
      </li>`,
  );
  const link = html`<a href="${links.api(best)}">${best.title}</a>`;
  const heading =
    tag === "h2" ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`;
  return html`<li class="card">
    ${heading}
    <p class="name">
      <code>${best.name}</code
      >${best.labels?.map((label) => html` <span class="${label === "deprecated" ? "old" : "mark"}">${label.replaceAll("_", " ")}</span>`)}
    </p>
    <p>${firstSentence(best.description)}</p>
    <ul class="versions" aria-label="Versions">
      ${versions}
    </ul>
  </li> `;
}

function line(links: Links, [best, ...others]: Group): Html {
  return html`<li>
    <a href="${links.api(best)}">${best.title}</a> <code>${best.name}</code>
    ${best.version}${others.map((entry) => html`, <a href="${links.api(entry)}">${entry.version}</a>`)}
  </li> `;
}

/**
 * API with its changes. `changes` is absent if the previous version is unknown.
 */
interface ChangedApi {
  readonly summary: DocumentSummary;
  readonly changes?: ApiChanges | undefined;
}

/** Renders a list of the APIs that have a page with changes. */
export function changedApis(
  apis: readonly ChangedApi[],
  links: Links,
): Html | undefined {
  const items = apis.flatMap(({ summary, changes }) => {
    const href = links.changes?.(summary);
    if (changes === undefined || href === undefined) return [];
    return [
      html`<li>
        <a href="${href}">${summary.name} ${summary.version}</a>:
        ${summaryText(changes.changes)}
      </li> `,
    ];
  });
  if (items.length === 0) return undefined;
  return html`<details>
    <summary>
      ${items.length} ${items.length === 1 ? "API" : "APIs"} changed
    </summary>
    <ul class="lines">
      ${items}
    </ul>
  </details>`;
}
