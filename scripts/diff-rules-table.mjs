// Prints the rule table of docs/diff.md: the rules of `gen diff` with their
// verdicts.

const TITLES = {
  document: "Sets of documents",
  api: "API",
  method: "Methods",
  parameter: "Parameters",
  property: "Properties",
  schema: "Schemas",
  value: "Types, formats and limits of values",
  replacement: "References to schemas",
  enum: "Enums",
};

/** Returns a Markdown table of rules for each kind of object. */
export function diffRulesTable(rules) {
  return Object.entries(TITLES)
    .map(([subject, title]) => {
      const rows = rules.filter(({ on }) => on === subject).map(rowOf);
      return [
        `### ${title}`,
        "",
        "| rule | finding | client | server | types |",
        "| --- | --- | --- | --- | --- |",
        ...rows,
      ].join("\n");
    })
    .join("\n\n");
}

function rowOf({ id, summary, reason, verdict }) {
  const text = reason === undefined ? summary : `${summary} ${reason}`;
  const cells = [0, 1, 2].map((index) => cellOf(verdict, index));
  return `| \`${id}\` | ${text.replace(/\|/g, "\\|")} | ${cells.join(" | ")} |`;
}

/**
 * Returns the severity of a rule, or its severities in requests and in
 * responses.
 */
function cellOf(verdict, index) {
  if (Array.isArray(verdict)) return verdict[index];
  const { request, response } = verdict;
  return request[index] === response[index]
    ? request[index]
    : `${request[index]} / ${response[index]}`;
}
