import { formatCount } from "../../diagnostics/format-count.js";
import { methodsOf } from "../../model/queries.js";
import type { Comparison, LocatedChange } from "../compare.js";
import { mostSevere } from "../severity.js";
import { sideOf } from "../side.js";
import type { Kind } from "../severity.js";
import { codeSpan, escapeMarkdown } from "./markdown.js";
import { acceptanceWords } from "../policy.js";
import { usedAtWords, usedWords, usersWords } from "../words.js";

/** Titles of the changelog's sections, in order. */
const SECTIONS: readonly (readonly [Kind, string])[] = [
  ["removed", "Removed"],
  ["changed", "Changed"],
  ["deprecated", "Deprecated"],
  ["added", "Added"],
];

/** Maximum length, in characters, of the description of a new method. */
const MAX_SENTENCE = 160;

/** Formats changes as Markdown for users of the API. */
export function changelog(comparisons: readonly Comparison[]): string {
  const changed = comparisons.filter(({ result }) => result.changes.length > 0);
  if (changed.length === 0) return "No changes.\n";
  return changed.map(section).join("\n");
}

function section(comparison: Comparison): string {
  const { api, from, to, changes } = comparison.result;
  const versions = [from, to].map((one) => escapeMarkdown(one ?? "none"));
  const touched = usedWords(changes);
  const parts = [
    `## ${escapeMarkdown(api)}: ${versions.join(" → ")}\n`,
    documentation(comparison),
    ...(touched === undefined ? [] : [`**${touched}.**\n`]),
  ];
  const descriptions = descriptionsOf(comparison);
  for (const [kind, title] of SECTIONS) {
    const items = changes.filter((change) => change.kind === kind);
    if (items.length === 0) continue;
    const lines = items.map((change) => item(change, descriptions));
    parts.push(`### ${title}\n\n${lines.join("\n")}\n`);
  }
  const texts = changes.filter(({ kind }) => kind === "text").length;
  if (texts > 0) parts.push(`${formatCount(texts, "text")} changed.\n`);
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns a Markdown link to the documentation of the API. */
function documentation({ old, new: now }: Comparison): string {
  const link = (now ?? old)?.document.documentationLink;
  if (link === undefined || !URL.canParse(link)) return "";
  const { href, protocol } = new URL(link);
  if (protocol !== "https:" && protocol !== "http:") return "";
  return `[Documentation](<${href.replace(/[<>\\]/g, encodeURIComponent)}>)\n`;
}

/** Returns the first sentence of the description of each new method. */
function descriptionsOf({ new: now }: Comparison): Map<string, string> {
  if (now === undefined) return new Map();
  const { api } = sideOf(now.document, false);
  return new Map(
    methodsOf(api.root).flatMap(({ id, description }) =>
      description === undefined ? [] : [[id, sentenceOf(description)]],
    ),
  );
}

function sentenceOf(description: string): string {
  const [sentence = ""] = description.split(/(?<=\.)\s/, 1);
  return sentence.length > MAX_SENTENCE
    ? `${sentence.slice(0, MAX_SENTENCE)}…`
    : sentence;
}

function item(
  change: LocatedChange,
  descriptions: ReadonlyMap<string, string>,
): string {
  const { rule, label, text, users, accepted } = change;
  const mark = mostSevere(change) === "breaking" ? "**Breaking:** " : "";
  const words = usersWords(users, codeSpan);
  const use = words === undefined ? "" : ` (${words})`;
  if (rule === "method-added") {
    const sentence = descriptions.get(label);
    const rest = sentence === undefined ? "" : `: ${escapeMarkdown(sentence)}`;
    return `- ${codeSpan(label)}${rest}`;
  }
  const why =
    accepted === undefined
      ? ""
      : `; accepted: ${escapeMarkdown(acceptanceWords(accepted))}`;
  const positions = usedAtWords(change.usedAt, codeSpan);
  const at = positions === undefined ? "" : `; ${positions}`;
  return `- ${mark}${codeSpan(label)}: ${escapeMarkdown(text)}${use}${at}${why}`;
}
