/**
 * Maximum number of line pairs that are compared. For larger changes, the diff
 * contains all changed lines in one hunk.
 */
const MAX_PAIRS = 4_000_000;
const CONTEXT = 3;

interface Line {
  readonly sign: " " | "-" | "+";
  text: string;
}

/**
 * Function that returns the text to show for a line, including the line break.
 * Line numbers are counted from 1.
 */
export type LineRenderer = (text: string, line: number) => string;

const AS_IS: LineRenderer = (text) => text;

/**
 * Compares two texts and returns the changes in the format of `diff -u` and
 * `git apply`; an empty string if they are equal.
 */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  show: { readonly before: LineRenderer; readonly after: LineRenderer } = {
    before: AS_IS,
    after: AS_IS,
  },
): string {
  if (before === after) return "";
  const lines = compareLines(linesOf(before), linesOf(after));
  renderLines(lines, show);
  return `--- a/${name}\n+++ b/${name}\n${hunks(lines).join("")}`;
}

/** Splits a string into lines, each including its line break. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compareLines(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end++;
  const unchanged = (text: string): Line => ({ sign: " ", text });
  return [
    ...a.slice(0, start).map(unchanged),
    ...diffMiddle(
      a.slice(start, a.length - end),
      b.slice(start, b.length - end),
    ),
    ...a.slice(a.length - end).map(unchanged),
  ];
}

/**
 * Compares lines by their longest common subsequence, using dynamic programming
 * from the last line to the first.
 */
function diffMiddle(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > MAX_PAIRS)
    return [...changedLines("-", a), ...changedLines("+", b)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(
              lengths[(i + 1) * width + j]!,
              lengths[i * width + j + 1]!,
            );
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ sign: " ", text: a[i]! });
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
      lines.push({ sign: "-", text: a[i++]! });
    else lines.push({ sign: "+", text: b[j++]! });
  }
  return [
    ...lines,
    ...changedLines("-", a.slice(i)),
    ...changedLines("+", b.slice(j)),
  ];
}

function renderLines(
  lines: readonly Line[],
  show: { readonly before: LineRenderer; readonly after: LineRenderer },
): void {
  let [old, now] = [0, 0];
  for (const line of lines) {
    if (line.sign !== "+") old++;
    if (line.sign !== "-") now++;
    line.text =
      line.sign === "+"
        ? show.after(line.text, now)
        : show.before(line.text, old);
  }
}

function changedLines(sign: "-" | "+", texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign, text }));
}

function hunks(lines: readonly Line[]): string[] {
  const shown = lines.map(() => false);
  for (const [index, { sign }] of lines.entries())
    if (sign !== " ")
      shown.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  const found: string[] = [];
  let [old, now] = [1, 1];
  for (let at = 0; at < lines.length;) {
    if (!shown[at]) {
      at++;
      old++;
      now++;
      continue;
    }
    const nextHidden = shown.indexOf(false, at);
    const part = lines.slice(at, nextHidden < 0 ? lines.length : nextHidden);
    const olds = part.filter(({ sign }) => sign !== "+").length;
    const news = part.filter(({ sign }) => sign !== "-").length;
    found.push(
      `@@ -${startOf(old, olds)},${olds} +${startOf(now, news)},${news} @@\n${part.map(lineText).join("")}`,
    );
    old += olds;
    now += news;
    at += part.length;
  }
  return found;
}

/**
 * Returns the start line of one version's part of a hunk, for the hunk header.
 * If that part has no lines, the format requires the number of the preceding
 * line.
 */
function startOf(line: number, count: number): number {
  return count === 0 ? line - 1 : line;
}

function lineText({ sign, text }: Line): string {
  const end = text.endsWith("\n") ? "" : "\n\\ No newline at end of file\n";
  return `${sign}${text}${end}`;
}
