import { isObject } from "../../../diagnostics/json.js";
import { parse } from "csv-parse/sync";
import { suggestion } from "../../../diagnostics/closest.js";
import { ApiError } from "../../../../generated/runtime/server/index.js";
import { AdminError } from "../../service.js";
import { ValueProblem, type Column } from "./columns.js";

/** Format of an import file. */
export type Format = "json" | "csv";

/** Row of an import file before validation. */
interface RawRow {
  /**
   * Position that messages contain: `row 3` in JSON (counted from 1), or `line
   * 3` in CSV (the line on which the row begins).
   */
  readonly position: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Row in which all values are valid. `values` does not contain members without
 * a value.
 */
export interface Row {
  readonly position: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Valid rows, and the messages about invalid rows. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
}

/** Problem with a value, and the name of its column. */
export interface MemberProblem {
  readonly column: string;
  /** Value to show; undefined if it is missing or secret. */
  readonly value?: unknown;
  readonly problem: ValueProblem;
}

/** Formats a message about a value in a row. */
export function formatProblem(
  position: string,
  column: string,
  value: unknown,
  problem: ValueProblem,
): string {
  return `${position}, column ${column}: ${textOf(value, problem)}`;
}

/** Formats a problem with its value, if there is one, and the fix. */
function textOf(value: unknown, { cause, fix }: ValueProblem): string {
  const shown =
    value === undefined ? "" : `${(JSON.stringify(value) ?? "").slice(0, 60)} `;
  return `${shown}${cause}; ${fix}`;
}

/**
 * Checks an object of an API with the rules of the columns.
 *
 * @param more checks several values together
 * @throws ApiError 400 with all problems
 */
export function checkObject(
  object: object,
  columns: readonly Column[],
  more: (values: Row["values"]) => readonly MemberProblem[] = () => [],
): Row["values"] {
  const { values, problems } = checkValues(flatten(object), columns, false);
  const found = problems.length > 0 ? problems : more(values);
  const [first] = found;
  if (first === undefined) return values;
  const texts = found.map(({ column, value, problem }) => ({
    message: `${column}: ${textOf(value, problem)}`,
    location: column,
    reason: "invalid",
  }));
  throw new ApiError(400, texts[0]!.message, { problems: texts });
}

/**
 * Reads the rows of an import file and checks the values of its columns.
 *
 * @param member name of the JSON member that contains the rows, if the JSON is
 * an object
 * @throws AdminError if the file is not valid in the given format
 */
export function readRows(
  text: string,
  format: Format,
  columns: readonly Column[],
  member: string,
): Rows {
  const isCsv = format === "csv";
  const raw = isCsv ? csvRows(text) : jsonRows(text, member);
  const rows: Row[] = [];
  const problems: string[] = [];
  for (const rawRow of raw) {
    const row = checkRow(rawRow, columns, isCsv);
    if (Array.isArray(row)) problems.push(...row);
    else rows.push(row);
  }
  return { rows, problems };
}

function csvRows(text: string): RawRow[] {
  try {
    const records = parse(text, {
      bom: true,
      columns: columnNames,
      info: true,
      skip_empty_lines: true,
      max_record_size: 1024 * 1024,
    }) as unknown as {
      info: { lines: number };
      record: Record<string, string>;
    }[];
    let line = 1;
    return records.map(({ info, record }) => {
      const position = `line ${line + 1}`;
      line = info.lines;
      return { position, values: withoutEmpty(record) };
    });
  } catch (error) {
    if (error instanceof AdminError) throw error;
    throw new AdminError(
      `the file is not valid CSV: ${(error as Error).message}`,
    );
  }
}

/** @throws AdminError for a duplicate column */
function columnNames(head: readonly string[]): string[] {
  const names = head.map((name) => name.trim());
  const duplicate = names.find((name, at) => names.indexOf(name) < at);
  if (duplicate === undefined) return names;
  const name = JSON.stringify(duplicate.slice(0, 60));
  throw new AdminError(
    `line 1: the column ${name} occurs more than once; remove all but one`,
  );
}

function withoutEmpty(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value.trim() !== ""),
  );
}

function jsonRows(text: string, member: string): RawRow[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new AdminError(
      `the file is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
    );
  }
  const rows = Array.isArray(value)
    ? value
    : (Object(value) as Record<string, unknown>)[member];
  if (!Array.isArray(rows))
    throw new AdminError(
      `the file must contain an array of rows or an object with '${member}'`,
    );
  return rows.map((row: unknown, index) => ({
    position: `row ${index + 1}`,
    values: flatten(row),
  }));
}

/**
 * Flattens an object of up to two levels. Nested members are keyed by their
 * path, such as `price.regular`. A null value counts as absent.
 */
function flatten(row: unknown): Record<string, unknown> {
  return Object.fromEntries(
    isObject(row) ? flattenMembers(row, "", 2) : [["(row)", row]],
  );
}

function flattenMembers(
  value: object,
  prefix: string,
  depth: number,
): [string, unknown][] {
  return Object.entries(value).flatMap(
    ([name, member]): [string, unknown][] => {
      if (member === null) return [];
      return isObject(member) && depth > 1
        ? flattenMembers(member, `${prefix}${name}.`, depth - 1)
        : [[prefix + name, member]];
    },
  );
}

/** Returns a valid row, or the messages about its invalid values. */
function checkRow(
  { position, values }: RawRow,
  columns: readonly Column[],
  isCsv: boolean,
): Row | string[] {
  const checked = checkValues(values, columns, isCsv);
  const problems = [
    ...unknownColumns(position, values, columns),
    ...checked.problems.map(({ column, value, problem }) =>
      formatProblem(position, column, value, problem),
    ),
  ];
  return problems.length > 0 ? problems : { position, values: checked.values };
}

/** Returns the normalized values, and the problems of the other ones. */
function checkValues(
  values: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
  isCsv: boolean,
): { values: Row["values"]; problems: readonly MemberProblem[] } {
  const checked: Record<string, unknown> = {};
  const problems: MemberProblem[] = [];
  for (const { name, isRequired, fromText, check } of columns) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    if (raw === undefined) {
      if (isRequired === true)
        problems.push({
          column: name,
          problem: new ValueProblem("is missing", "add it"),
        });
      continue;
    }
    const value = check(isCsv ? fromText(raw as string) : raw);
    if (value instanceof ValueProblem)
      problems.push({ column: name, value: raw, problem: value });
    else checked[name] = value;
  }
  return { values: checked, problems };
}

function unknownColumns(
  position: string,
  values: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
): string[] {
  const names = columns.map(({ name }) => name);
  return Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = suggestion(name, names);
      const valueProblem = new ValueProblem(
        "is not a known column",
        near === "" ? "remove it" : `rename it${near}`,
      );
      return formatProblem(
        position,
        name.slice(0, 60),
        undefined,
        valueProblem,
      );
    });
}
