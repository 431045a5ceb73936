import { ruleCatalogue, type RuleEntry } from "./catalogue.js";

const HEAD = `# Rules for overrides files

What \`gen overrides validate\` looks for. Written by \`npm run overrides\` from
\`src/overrides/rules/catalogue.ts\`; examples are parts of a file and are tested.
An error stops the control tool or breaks the runtime, a warning deserves a look.
`;

/** Renders the documentation of all rules in Markdown. */
export function rulesPage(): string {
  const rows = Object.entries(ruleCatalogue);
  const table = rows.map(
    ([code, { title, severity }]) =>
      `| [${code}](#${anchor(code, title)}) | ${title} | ${severity} |`,
  );
  const pages = rows.map(([code, entry]) => pageOf(code, entry));
  return [
    HEAD,
    "| code | rule | severity |\n| --- | --- | --- |",
    `${table.join("\n")}\n`,
    ...pages,
  ].join("\n");
}

function pageOf(code: string, entry: RuleEntry): string {
  const { title, severity, what, why, fix, bad, good } = entry;
  return [
    `## ${code}: ${title}\n`,
    `Severity: ${severity}.\n`,
    `**What.** ${what}\n`,
    `**Why.** ${why}\n`,
    ...(bad === undefined ? [] : [example("Wrong", bad)]),
    ...(good === undefined ? [] : [example("Right", good)]),
    `**Fix.** ${fix.charAt(0).toUpperCase()}${fix.slice(1)}.\n`,
  ].join("\n");
}

function example(title: string, text: string): string {
  return `**${title}.**\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}

/** Returns the anchor that Markdown renderers generate for a heading. */
function anchor(code: string, title: string): string {
  return `${code}: ${title}`
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s/g, "-");
}
