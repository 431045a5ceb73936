// Draws a result (results.mjs) as SVG: bars of one column of each table, ours
// highlighted, with the lowest and highest round, and a line at the floor.
import { cellOf, machineLine } from "./markdown.mjs";

/** Pixels; bars start after the names, values follow the bars. */
const WIDTH = 820;
const LEFT = 270;
const BAR = 400;
const ROW = 22;
const HEAD = 46;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .head { font-weight: 600; }
  .muted { fill: #59636e; }
  .small { font-size: 12px; }
  .bar { fill: #afb8c1; }
  .ours { fill: #0969da; }
  text.ours { font-weight: 600; }
  .range { stroke: #1f2328; stroke-width: 1.5; }
  .floor { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .muted { fill: #9198a1; }
    .bar { fill: #656c76; }
    .ours { fill: #4493f8; }
    .range { stroke: #f0f6fc; }
    .floor { stroke: #f0883e; }
  }`;

function escape(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const textAt = (x, y, text, kind = "", anchor = "start") =>
  `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${escape(text)}</text>`;

/** Returns the column that a chart shows, and the rows that have a value in it. */
function shown({ columns, chart, rows }) {
  const column = columns.find(({ key }) => key === chart);
  return {
    column,
    rows: rows.filter(({ values }) => values[chart] !== undefined),
  };
}

/** Returns a bar with name, range and value. */
function bar({ name, kind, values }, { key, digits }, scale, y) {
  const { median, low, high } = values[key];
  const end = LEFT + scale(median);
  const kindOf = kind === "ours" ? "ours" : "";
  const middle = y + ROW / 2;
  const parts = [
    textAt(LEFT - 10, middle + 4, name, kindOf, "end"),
    `<rect x="${LEFT}" y="${y + 3}" width="${Math.max(1, scale(median)).toFixed(1)}" height="${ROW - 7}" rx="2" class="bar ${kindOf}"/>`,
  ];
  if (low !== undefined && low !== high)
    parts.push(
      `<line x1="${(LEFT + scale(low)).toFixed(1)}" x2="${(LEFT + scale(high)).toFixed(1)}" y1="${middle - 0.5}" y2="${middle - 0.5}" class="range"/>`,
    );
  const right = Math.max(end, LEFT + scale(high ?? median)) + 8;
  const value = cellOf(median, digits);
  return [...parts, textAt(right.toFixed(1), middle + 4, value, kindOf)];
}

/** Returns a table's bars below its title. */
function group(table, top) {
  const { column, rows } = shown(table);
  const highest = rows.map(
    ({ values }) => values[column.key].high ?? values[column.key].median,
  );
  if (table.line !== undefined) highest.push(table.line);
  const scale = (value) => (value / Math.max(...highest)) * BAR;
  const unit = `${column.title}, ${column.better ?? "lower"} is better`;
  const first = top + HEAD;
  const floor =
    table.line ??
    rows.find(({ kind }) => kind === "floor")?.values[column.key].median;
  const parts = [
    textAt(12, top + 20, table.title, "head"),
    textAt(12, top + 37, unit, "muted"),
    ...rows.flatMap((row, index) =>
      bar(row, column, scale, first + index * ROW),
    ),
  ];
  const bottom = first + rows.length * ROW;
  if (floor !== undefined) {
    const x = (LEFT + scale(floor)).toFixed(1);
    const line = `<line x1="${x}" x2="${x}" y1="${first}" y2="${bottom}" class="floor"/>`;
    parts.push(line);
  }
  return { parts, bottom };
}

/** Describes all bars in words, for readers without the picture. */
function description(result) {
  const tables = result.tables.filter(({ chart }) => chart !== undefined);
  const sentences = tables.map((table) => {
    const { column, rows } = shown(table);
    const values = rows.map(
      ({ name, values: own }) =>
        `${name} ${cellOf(own[column.key].median, column.digits)}`,
    );
    return `${table.title}, ${column.title}: ${values.join(", ")}.`;
  });
  return `${sentences.join(" ")} ${machineLine(result)}.`;
}

/** Returns the chart of a result. */
export function svgOf(result) {
  const parts = [textAt(12, 24, result.title, "title")];
  let bottom = 30;
  for (const table of result.tables.filter(({ chart }) => chart)) {
    const drawn = group(table, bottom);
    parts.push(...drawn.parts);
    bottom = drawn.bottom + 10;
  }
  for (const line of machineLine(result).split(": ").reverse())
    parts.push(textAt(12, (bottom += 18), line, "muted small"));
  const height = bottom + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escape(result.title)}</title>
<desc id="description">${escape(description(result))}</desc>
<style>${STYLE}
</style>
${parts.join("\n")}
</svg>
`;
}
