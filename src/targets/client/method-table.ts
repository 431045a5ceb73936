import type { Method, Resource } from "../../model/ir.js";
import { printData, type Data } from "../../render/typescript/literals.js";
import { singularOf } from "../../runtime/client/bind-table.js";
import type { ApiContext } from "../shared/api-context.js";
import type { FileContext } from "../shared/file-context.js";
import { descriptorParts } from "./descriptor.js";
import { errorReader } from "./errors.js";
import { renamedParameters } from "./renamed-parameters.js";

/**
 * All methods of an API as text, which the client runtime's `bindTable` parses.
 */
export interface MethodTable {
  /** Common prefix of the method ids, such as `drive.`. */
  readonly prefix: string;
  /**
   * Lines of the table, which contain no characters that must be escaped in a
   * template literal.
   */
  readonly lines: readonly string[];
  /**
   * Objects that lines refer to by index. Each object has one member that
   * describes a method to the client runtime, such as its request body.
   */
  readonly parts: readonly Data[];
}

/**
 * Tests whether a resource can be included in the method table. The names of
 * the resource, its methods and its child resources must consist of letters,
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

/**
 * Returns the table of all methods of an API. `isTabular` must be true for the
 * root resource of the API.
 */
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
 * Returns the part of the first method's id before the names of the resources
 * and the method; an empty string if the id does not end with these names.
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

/** Pattern for the API paths that a line of the method table can represent. */
const PATH = /^(?!\d)[\w.~:/{}+*,;=@!()?&-]+$/;

/**
 * Pattern that matches a path segment, custom verb or variable that `bindTable`
 * would interpret as an abbreviation.
 */
const ABBREVIATION = /\{\*|(?:^|[/:])[*.](?![^/:])/;

class TableBuilder {
  readonly lines: string[] = [];
  readonly parts: Data[] = [];
  /** Abbreviated path of the line that was added last. */
  #path = "";
  /** Map from the printed text of a part to its index in `parts`. */
  readonly #positions = new Map<string, number>();

  constructor(
    private readonly context: ApiContext,
    private readonly file: FileContext,
    private readonly prefix: string,
  ) {}

  /** Adds the methods of a resource and its descendants. */
  add({ path, methods, children }: Resource): this {
    const name = path.at(-1);
    if (name !== undefined) {
      const parents = path.slice(0, -1).map((parent) => `${parent}.`);
      this.lines.push([name, parents.join("")].join(" ").trimEnd());
    }
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
   * Replaces the first segments of a path with a number if the path of the
   * previous line starts with the same segments. The number is the count of
   * these segments. If the path starts with the entire previous path, the
   * number can be greater than the count.
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

  /**
   * Returns the indexes of entries in `parts`; appends entries that are not in
   * `parts` yet.
   */
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

/**
 * Abbreviates a path: replaces the name of the resource with `*`, and the name
 * of the method with `.`.
 */
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
