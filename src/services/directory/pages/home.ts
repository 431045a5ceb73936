import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import type { DocumentSummary } from "../document-summary.js";
import { byNameAndVersion, preferredIds } from "../list.js";
import { html, firstSentence, type Html } from "./html.js";
import { page, searchForm } from "./layout.js";
import { apiPath } from "./links.js";

/** Renders the list of all APIs, or of the APIs that match a search. */
export function homePage(
  summaries: readonly DocumentSummary[],
  query: string,
): Outgoing {
  const groups = groupByName(summaries, preferredIds(summaries));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = groups.filter((group) => isMatch(group, words));
  const count = `${matches.length} of ${groups.length}`;
  return page({
    title: query === "" ? "API directory" : `${query} – API directory`,
    main: html`<h1>API directory</h1>
      <p class="lead">${groups.length} APIs in ${summaries.length} versions.</p>
      ${searchForm(query, "Search APIs", count)}
      <ul class="apis" data-filter>
        ${matches.map(card)}
      </ul>
      <p class="none" id="nothing" ${matches.length > 0 && html` hidden`}>
        No API matches.
      </p>`,
  });
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

function card(group: Group): Html {
  const [best] = group;
  const versions = group.map(
    (entry) =>
      html`<li>
        <a href="${apiPath(entry)}"
          >${entry.version}<span class="hidden"> of ${entry.name}</span></a
        >
      </li>`,
  );
  return html`<li class="card">
    <h2><a href="${apiPath(best)}">${best.title}</a></h2>
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
