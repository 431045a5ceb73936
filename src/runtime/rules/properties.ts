import type { FileRules, PropertySchema } from "./definition.js";

/** Property of the file, with its path and the rules of its schema. */
export interface PropertyRow extends PropertySchema {
  /**
   * Path such as `hosts[].name`; `[]` means any list element and `*` means any
   * key.
   */
  readonly path: string;
}

/** Property as a node in the property tree. */
export interface Property {
  readonly row: PropertyRow;
  readonly key: string;
  readonly parent?: Property;
  /** Members, keyed by name. The wildcard `*` is not included. */
  readonly members: Map<string, Property>;
  /** Property that describes all keys that are not in `members`. */
  wildcard?: Property;
  /** Property that describes the elements of a list. */
  item?: Property;
}

/**
 * Maximum number of properties of a file. Schemas that refer to each other
 * often can multiply.
 */
const MAX_PROPERTIES = 10_000;

/** Property tree of a file, with indexes by path and by key. */
export class Properties {
  readonly rules: FileRules;
  readonly root: Property;
  /** Properties, keyed by path without list indexes, such as `hosts[].name`. */
  readonly byPath: Map<string, Property> = new Map();
  /** Properties, keyed by the last key of their path. */
  readonly byKey: Map<string, Property[]> = new Map();
  /** Keys of secret properties in lower case. */
  readonly secretKeys: Set<string> = new Set();
  /**
   * Paths of blocks that contain secrets. If such a block has a scalar value
   * instead of members, the scalar is probably the secret.
   */
  readonly blocksWithSecrets: Set<string> = new Set();

  /** Throws a RangeError if the file has too many properties. */
  constructor(rules: FileRules) {
    this.rules = rules;
    this.root = this.#add({ ref: rules.root }, "", "", undefined, []);
  }

  /**
   * Adds a property and its members. Members of a schema within itself are not
   * added.
   */
  #add(
    schema: PropertySchema,
    path: string,
    key: string,
    parent: Property | undefined,
    names: readonly string[],
  ): Property {
    const { ref, ...own } = schema;
    const isNested = ref !== undefined && names.includes(ref);
    const target = isNested ? undefined : this.rules.schemas[ref ?? ""];
    const { properties, values, items, ...fields } = { ...target, ...own };
    const since = fields.since ?? (key === "*" ? undefined : parent?.row.since);
    const replacedBy = replacementPath(fields.replacedBy, parent);
    const row: PropertyRow = {
      ...fields,
      path,
      type: fields.type ?? "any",
      ...(since === undefined ? {} : { since }),
      ...(replacedBy === undefined ? {} : { replacedBy }),
    };
    const property: Property = {
      row,
      key,
      members: new Map(),
      ...(parent === undefined ? {} : { parent }),
    };
    if (this.byPath.size >= MAX_PROPERTIES) throw new RangeError();
    this.#register(property);
    const below = ref === undefined ? names : [...names, ref];
    const prefix = path === "" ? "" : `${path}.`;
    for (const [name, member] of Object.entries(properties ?? {}))
      property.members.set(
        name,
        this.#add(member, `${prefix}${name}`, name, property, below),
      );
    if (values !== undefined)
      property.wildcard = this.#add(values, `${prefix}*`, "*", property, below);
    if (items !== undefined)
      property.item = this.#add(items, `${path}[]`, "[]", property, below);
    return property;
  }

  #register(property: Property): void {
    const { row, key } = property;
    this.byPath.set(row.path, property);
    if (key !== "" && key !== "[]" && key !== "*") {
      const others = this.byKey.get(key);
      if (others === undefined) this.byKey.set(key, [property]);
      else others.push(property);
    }
    if (row.secret !== true) return;
    this.secretKeys.add(key.toLowerCase());
    for (let at = row.path.lastIndexOf("."); at > 0;) {
      this.blocksWithSecrets.add(row.path.slice(0, at));
      at = row.path.lastIndexOf(".", at - 1);
    }
  }

  /** Tests whether a scalar value must not be printed. */
  isSensitive({ row }: Property): boolean {
    return row.secret === true || this.blocksWithSecrets.has(row.path);
  }
}

function replacementPath(
  path: string | undefined,
  parent: Property | undefined,
): string | undefined {
  const above = parent?.row.path ?? "";
  return path === undefined || above === "" || /[.[]/.test(path)
    ? path
    : `${above}.${path}`;
}
