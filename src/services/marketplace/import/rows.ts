import { isObject } from "../../../diagnostics/json.js";
import { parse } from "csv-parse/sync";
import { suggestion } from "../../../diagnostics/closest.js";
import { AdminError } from "../../service.js";
import { Fault, type Column } from "./columns.js";

/** Forms of files that can be imported. */
export type Format = "json" | "csv";

/** A row as it stands in the file. */
interface RawRow {
  /** `row 3` of JSON, counted from 1; `line 3` of CSV, where the row begins. */
  readonly place: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A row whose every value fits its column; absent ones are not there. */
export interface Row {
  readonly place: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Rows that can be taken, and what is wrong with the others. */
export interface Rows {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
}

/** A problem of a row as it is told. */
export function problem(
  place: string,
  column: string,
  value: unknown,
  { cause, fix }: Fault,
): string {
  const shown =
    value === undefined ? "" : `${(JSON.stringify(value) ?? "").slice(0, 60)} `;
  return `${place}, column ${column}: ${shown}${cause}; ${fix}`;
}

/**
 * Reads the rows of a file by its columns.
 *
 * @param member of an object that may hold the rows in JSON
 * @throws AdminError for what is no file of this form
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
  for (const one of raw) {
    const row = checkRow(one, columns, isCsv);
    if (Array.isArray(row)) problems.push(...row);
    else rows.push(row);
  }
  return { rows, problems };
}

function csvRows(text: string): RawRow[] {
  try {
    const found = parse(text, {
      bom: true,
      columns: columnsOf,
      info: true,
      skip_empty_lines: true,
      max_record_size: 1024 * 1024,
    }) as unknown as {
      info: { lines: number };
      record: Record<string, string>;
    }[];
    let line = 1;
    return found.map(({ info, record }) => {
      const place = `line ${line + 1}`;
      line = info.lines;
      return { place, values: withoutEmpty(record) };
    });
  } catch (error) {
    if (error instanceof AdminError) throw error;
    throw new AdminError(`the file is no CSV: ${(error as Error).message}`);
  }
}

/** @throws AdminError for a column that is there twice: which one is meant? */
function columnsOf(head: readonly string[]): string[] {
  const names = head.map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return names;
  const name = JSON.stringify(twice.slice(0, 60));
  throw new AdminError(`line 1: the column ${name} is there twice; remove one`);
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
      `the file is no JSON: ${(error as Error).message.slice(0, 200)}`,
    );
  }
  const rows = Array.isArray(value)
    ? value
    : (Object(value) as Record<string, unknown>)[member];
  if (!Array.isArray(rows))
    throw new AdminError(
      `the file holds no array of rows, nor an object with '${member}'`,
    );
  return rows.map((row: unknown, index) => ({
    place: `row ${index + 1}`,
    values: flat(row),
  }));
}

/** Members of objects by path, as deep as columns are; null counts as absent. */
function flat(row: unknown): Record<string, unknown> {
  return Object.fromEntries(
    isObject(row) ? membersOf(row, "", 2) : [["(row)", row]],
  );
}

function membersOf(
  value: object,
  start: string,
  depth: number,
): [string, unknown][] {
  return Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (one === null) return [];
    return isObject(one) && depth > 1
      ? membersOf(one, `${start}${name}.`, depth - 1)
      : [[start + name, one]];
  });
}

/** The values of a row, or what is wrong with them. */
function checkRow(
  { place, values }: RawRow,
  columns: readonly Column[],
  isCsv: boolean,
): Row | string[] {
  const problems = unknownColumns(place, values, columns);
  const checked: Record<string, unknown> = {};
  for (const { name, isRequired, fromText, check } of columns) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    if (raw === undefined) {
      if (isRequired === true)
        problems.push(
          problem(
            place,
            name,
            undefined,
            new Fault("the value is missing", "add it"),
          ),
        );
      continue;
    }
    const value = check(isCsv ? fromText(raw as string) : raw);
    if (value instanceof Fault) problems.push(problem(place, name, raw, value));
    else checked[name] = value;
  }
  return problems.length > 0 ? problems : { place, values: checked };
}

function unknownColumns(
  place: string,
  values: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
): string[] {
  const names = columns.map(({ name }) => name);
  return Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = suggestion(name, names);
      const fault = new Fault(
        "there is no such column",
        near === "" ? "remove it" : `rename it${near}`,
      );
      return problem(place, name.slice(0, 60), undefined, fault);
    });
}
