import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import type { Facts } from "../document-summary.js";
import { byNameAndVersion, preferredIds } from "../list.js";
import { html, summary, type Html } from "./html.js";
import { page, searchForm } from "./layout.js";
import { apiPath } from "./links.js";

/** The page of all APIs, or of those that match a search. */
export function homePage(facts: readonly Facts[], query: string): Outgoing {
  const groups = groupByName(facts, preferredIds(facts));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups.filter((group) => isMatch(group, words));
  const count = `${found.length} of ${groups.length}`;
  return page({
    title: query === "" ? "API directory" : `${query} – API directory`,
    main: html`<h1>API directory</h1>
      <p class="lead">${groups.length} APIs in ${facts.length} versions.</p>
      ${searchForm(query, "Search APIs", count)}
      <ul class="apis" data-filter>
        ${found.map(card)}
      </ul>
      <p class="none" id="nothing" ${found.length > 0 && html` hidden`}>
        No API matches.
      </p>`,
  });
}

/** The versions of an API, the preferred one first. */
type Group = readonly [Facts, ...Facts[]];

function groupByName(
  facts: readonly Facts[],
  preferred: ReadonlySet<string>,
): Group[] {
  const groups = new Map<string, Facts[]>();
  for (const one of [...facts].sort(byNameAndVersion)) {
    const group = groups.get(one.name);
    if (group === undefined) groups.set(one.name, [one]);
    else if (preferred.has(one.id)) group.unshift(one);
    else group.push(one);
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
    (one) =>
      html`<li>
        <a href="${apiPath(one)}"
          >${one.version}<span class="hidden"> of ${one.name}</span></a
        >
      </li>`,
  );
  return html`<li class="card">
    <h2><a href="${apiPath(best)}">${best.title}</a></h2>
    <p class="name">
      <code>${best.name}</code
      >${best.labels?.map((label) => html` <span class="${label === "deprecated" ? "old" : "mark"}">${label.replaceAll("_", " ")}</span>`)}
    </p>
    <p>${summary(best.description)}</p>
    <ul class="versions" aria-label="Versions">
      ${versions}
    </ul>
  </li> `;
}
