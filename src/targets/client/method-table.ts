import type { Method, Resource } from "../../model/ir.js";
import { printData, type Data } from "../../render/typescript/literals.js";
import { singularOf } from "../../runtime/client/bind-table.js";
import type { ApiContext } from "../shared/api-context.js";
import type { FileContext } from "../shared/file-context.js";
import { descriptorParts } from "./descriptor.js";
import { errorReader } from "./errors.js";
import { renamedParameters } from "./renamed-parameters.js";

/** All methods of an API as text, which the runtime's `bindTable` reads. */
export interface MethodTable {
  /** Beginning of the ids of the methods, such as `drive.`. */
  readonly prefix: string;
  /** Lines of the table, which need no escapes in a template literal. */
  readonly lines: readonly string[];
  /** Parts of descriptors that lines refer to by position. */
  readonly parts: readonly Data[];
}

/**
 * Returns whether a table can contain a resource: names have only letters,
 * digits, `_` and `-`.
 */
export function isTabular({ path, methods, children }: Resource): boolean {
  return (
    [...path.slice(-1), ...methods.map(({ name }) => name)].every((name) =>
      /^[\w-]+$/.test(name),
    ) &&
    methods.every(({ httpMethod }) => /^[A-Z]+$/.test(httpMethod)) &&
    children.every(isTabular)
  );
}

/** Returns the table of all methods of a tabular API. */
export function methodTable(
  context: ApiContext,
  file: FileContext,
): MethodTable {
  const { root } = context.api;
  const prefix = prefixOf(root) ?? "";
  const { lines, parts } = new TableBuilder(context, file, prefix).add(root);
  return { prefix, lines, parts };
}

/**
 * Returns the text before resource and name in the id of the first method;
 * empty if the id does not end with them.
 */
function prefixOf({ path, methods, children }: Resource): string | undefined {
  const [first] = methods;
  if (first !== undefined) {
    const end = [...path, first.name].join(".");
    return first.id.endsWith(end) ? first.id.slice(0, -end.length) : "";
  }
  for (const child of children) {
    const prefix = prefixOf(child);
    if (prefix !== undefined) return prefix;
  }
  return undefined;
}

/** Matches paths that a line of the table can contain. */
const PATH = /^(?!\d)[\w.~:/{}+*,;=@!()?&-]+$/;

/** Matches a part of a path that `bindTable` replaces. */
const ABBREVIATION = /\{\*|(?:^|[/:])[*.](?![^/:])/;

class TableBuilder {
  readonly lines: string[] = [];
  readonly parts: Data[] = [];
  /** Path of the last line, with abbreviations. */
  #path = "";
  /** Positions of parts by their printed text. */
  readonly #positions = new Map<string, number>();

  constructor(
    private readonly context: ApiContext,
    private readonly file: FileContext,
    private readonly prefix: string,
  ) {}

  /** Adds a resource and its children. */
  add({ path, methods, children }: Resource): this {
    if (path.length > 0) this.lines.push(path.join("."));
    for (const method of methods) this.addMethod(method, path);
    for (const child of children) this.add(child);
    return this;
  }

  private addMethod(method: Method, path: readonly string[]): void {
    const { name, httpMethod } = method;
    const { id, path: template, ...rest } = this.descriptor(method);
    const isPlain = PATH.test(template) && !ABBREVIATION.test(template);
    const positions = this.positions({
      id: id === this.prefix + [...path, name].join(".") ? undefined : id,
      path: isPlain ? undefined : template,
      ...rest,
    });
    const short = isPlain ? abbreviate(template, path.at(-1), name) : "/";
    const line = [name, httpMethod, this.relative(short), ...positions];
    this.lines.push(line.join(" "));
  }

  /**
   * Returns a path, or the number of segments that it shares with the last path
   * and its other segments. The number is at least 9 for the whole last path.
   */
  private relative(path: string): string {
    const before = this.#path.split("/");
    const after = path.split("/");
    let shared = 0;
    while (shared < after.length && after[shared] === before[shared]) shared++;
    const last = this.#path;
    this.#path = path;
    if (last !== "" && path.startsWith(last))
      return `${Math.max(before.length, 9)}${path.slice(last.length)}`;
    return shared === 0 ? path : [shared, ...after.slice(shared)].join("/");
  }

  private descriptor(method: Method): ReturnType<typeof descriptorParts> {
    const { context, file } = this;
    return descriptorParts({
      method,
      renamed: renamedParameters(method, context.names.common),
      file,
      errors: errorReader(method, context, file),
    });
  }

  /** Returns the positions of entries of a descriptor; adds new entries. */
  private positions(
    entries: Readonly<Record<string, Data | undefined>>,
  ): number[] {
    return Object.entries(entries).flatMap(([key, value]) => {
      if (value === undefined) return [];
      const part = { [key]: value };
      const text = printData(part, 0, 0);
      const known = this.#positions.get(text);
      if (known !== undefined) return [known];
      this.#positions.set(text, this.parts.length);
      return [this.parts.push(part) - 1];
    });
  }
}

/** Replaces the names of the resource and the method in a path. */
function abbreviate(
  path: string,
  resource: string | undefined,
  method: string,
): string {
  const variable = resource === undefined ? "" : `{${singularOf(resource)}`;
  return path
    .replace(/(^|[/:])([^/:]+)(?![^/:])/g, (match, before: string, part) => {
      if (part === resource) return `${before}*`;
      return part === method ? `${before}.` : match;
    })
    .replace(/\{\w+?(?=(?:Id)?\})/g, (match) =>
      match === variable ? "{*" : match,
    );
}
