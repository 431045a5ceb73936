// Markdown of a result (results.mjs): a table for each of its tables, in the style
// of Prettier.

/** Returns a number with the digits of its column. */
export function cellOf(value, digits) {
  return value === undefined ? "" : value.toFixed(digits);
}

/** Returns a value with its lowest and highest round, if there are several. */
function spreadCell({ median, low, high } = {}, digits) {
  const text = cellOf(median, digits);
  if (low === undefined || low === high) return text;
  return `${text} (${cellOf(low, digits)}–${cellOf(high, digits)})`;
}

/** Returns the rows of a table as cells, the header first. */
function cellsOf({ label, columns, rows }) {
  const hasLimit = rows.some(({ limit }) => limit !== undefined);
  const head = [label, ...columns.map(({ title }) => title)];
  const isMixed = rows.some(({ kind }) => kind !== "ours");
  const body = rows.map(({ name, kind, values, limit, digits: own }) => [
    kind === "ours" && isMixed ? `**${name}**` : name,
    ...columns.map(({ key, digits }) => spreadCell(values[key], digits ?? own)),
    ...(hasLimit ? [limit === undefined ? "" : String(limit)] : []),
  ]);
  return [hasLimit ? [...head, "limit"] : head, ...body];
}

/** Returns a table with aligned columns. */
export function tableOf(rows) {
  const widths = rows[0].map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const [head, ...body] = rows.map((row) =>
    line(row.map((cell, column) => cell.padEnd(widths[column]))),
  );
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join(
    "\n",
  );
}

/** Returns one line about the machine of a result. */
export function machineLine({ machine, isPreliminary }) {
  const { cpu, cores, memoryGiB, node, os } = machine;
  const line = `${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}, ${os}`;
  return isPreliminary
    ? `Preliminary, on a machine with other load: ${line}`
    : line;
}

/** Returns the text between the marks of a result in README.md. */
export function blockOf(result) {
  const parts = result.tables.flatMap((table) => [
    `#### ${table.title}`,
    ...(table.note === undefined ? [] : [table.note]),
    tableOf(cellsOf(table)),
  ]);
  const chart = `![Chart: ${result.title}](charts/${result.family}.svg)`;
  return [chart, ...parts, `${machineLine(result)}.`].join("\n\n");
}

const mark = (family) => [
  `<!-- bench:${family} -->`,
  `<!-- /bench:${family} -->`,
];

/** Returns the block of a family in a text; undefined if the text has no marks. */
export function blockIn(text, family) {
  const [open, close] = mark(family);
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start === -1 || end < start) return undefined;
  return text.slice(start + open.length, end).trim();
}

/** Returns a text with the block of a family replaced. */
export function withBlock(text, family, block) {
  const [open, close] = mark(family);
  if (blockIn(text, family) === undefined)
    throw new Error(`bench/README.md must have the line ${open}`);
  const before = text.slice(0, text.indexOf(open) + open.length);
  return `${before}\n\n${block}\n\n${text.slice(text.indexOf(close))}`;
}
