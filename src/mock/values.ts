import type {
  Body,
  Definition,
  Field,
  Constraints,
  Schema,
} from "../model/ir.js";
import { Random } from "./random.js";
import { enumOf, scalarOf } from "./scalars.js";

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

type ObjectBody = Extract<Body, { kind: "object" }>;

/** Where a value is to stand. */
export interface Place {
  /** All that it depends on, beside its schema. */
  readonly key: string;
  /** Of the field or parameter that holds it. */
  readonly name: string;
  /** Objects around it. */
  readonly depth: number;
  /** Definitions around it. */
  readonly within: readonly string[];
}

/** Elements of lists, and of lists far below. */
const ELEMENTS = 3;
const FAR = 3;

/** Objects below which optional objects are left out. */
const DEEP = 5;

/** Values of one answer after which only what is required is added. */
const BUDGET = 2000;

/** Depth at which a schema that requires itself is given up. */
const BOTTOM = 40;

/** Fields that tell of trouble, or of more to come: there is none. */
const SKIPPED =
  /^(errors?|warnings?|unreachable|next_?(page|sync)_?token|httpErrorMessage|httpErrorStatusCode)$/i;

/** Makes values of schemas: the same for the same place, and none the validators refuse. */
export class ValueMaker {
  readonly #definitions: ReadonlyMap<string, Definition>;
  #left = BUDGET;

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  /** A value on its own: an answer, an entity, an element of a list. */
  make(schema: Schema, key: string, name: string = ""): unknown {
    this.#left = BUDGET;
    return this.value(schema, undefined, { key, name, depth: 0, within: [] });
  }

  /** A value at a place. */
  value(schema: Schema, own: Constraints | undefined, place: Place): unknown {
    this.#left--;
    const notes = [own, schema.constraints].filter((one) => one !== undefined);
    const random = (): Random => new Random(place.key);
    switch (schema.kind) {
      case "any":
        return "any";
      case "scalar":
        return scalarOf(
          schema.type,
          schema.format,
          notes,
          place.name,
          random(),
        );
      case "enum":
        return enumOf(schema.values, notes, random());
      case "list":
        return this.#list(schema.items, place);
      case "map":
        return this.#map(schema.values, place);
      case "ref":
        return this.#reference(schema.id, notes, place);
    }
  }

  #list(items: Schema, place: Place): unknown[] {
    if (this.#isLoop(items, place) || place.depth > BOTTOM) return [];
    const length = place.depth < FAR && this.#left > 0 ? ELEMENTS : 1;
    return Array.from({ length }, (_, index) =>
      this.value(items, undefined, { ...place, key: `${place.key}/${index}` }),
    );
  }

  #map(values: Schema, place: Place): Members {
    if (this.#isLoop(values, place) || place.depth > BOTTOM) return {};
    return Object.fromEntries(
      ["alpha", "beta"].map((name) => [
        name,
        this.value(values, undefined, {
          ...place,
          depth: place.depth + 1,
          key: `${place.key}/${name}`,
          name,
        }),
      ]),
    );
  }

  #reference(id: string, notes: readonly Constraints[], place: Place): unknown {
    const definition = this.#definitions.get(id);
    if (definition === undefined) return {};
    const { body } = definition;
    switch (body.kind) {
      case "enum":
        return enumOf(body.values, notes, new Random(place.key));
      case "alias":
        return this.value(
          {
            ...body.schema,
            constraints: merged([...notes, body.schema.constraints]),
          },
          undefined,
          place,
        );
      case "object":
        return this.#object(id, body, place);
      case "variant":
        return this.#variant(id, body, place);
    }
  }

  #object(id: string, body: ObjectBody, place: Place): Members {
    const { fields, additional } = body;
    if (fields.length === 0 && additional !== undefined)
      return this.#map(additional, inside(place, id));
    if (place.depth > BOTTOM) return {};
    const wanted = fields.filter((field) => this.#isWanted(field, id, place));
    return Object.fromEntries(
      wanted.map((field) => [field.name, this.field(field, id, place)]),
    );
  }

  /** A field of an object that stands at a place. */
  field(
    { name, schema, constraints }: Field,
    id: string,
    place: Place,
  ): unknown {
    const key = `${place.key}/${name}`;
    return this.value(schema, constraints, { ...inside(place, id), key, name });
  }

  #isWanted(field: Field, id: string, place: Place): boolean {
    const { flags, name, schema } = field;
    if (isNeeded(field)) return true;
    const isDemanded = flags.requiredBy !== undefined;
    if (isDemanded && !this.#isLoop(schema, inside(place, id))) return true;
    if (flags.deprecated !== undefined || SKIPPED.test(name)) return false;
    const isPlain = schema.kind === "scalar" || schema.kind === "enum";
    if (isPlain) return this.#left > 0 || place.depth < 2;
    if (this.#left <= 0 || place.depth >= DEEP) return false;
    return !this.#isLoop(schema, inside(place, id));
  }

  #variant(
    id: string,
    body: Extract<Body, { kind: "variant" }>,
    place: Place,
  ): Members {
    const within = inside(place, id);
    const base = this.#part(body.base, within);
    if (body.options.length === 0) return base;
    const possible = body.options.filter(
      (option) => !place.within.includes(option.id),
    );
    const option = new Random(place.key).pick(
      possible.length > 0 ? possible : body.options,
    );
    return Object.fromEntries([
      ...Object.entries(base),
      ...Object.entries(this.#part(option.id, within)),
      [body.discriminant, option.value],
    ]);
  }

  #part(id: string | undefined, place: Place): Members {
    if (id === undefined || place.depth > BOTTOM) return {};
    return this.#reference(id, [], place) as Members;
  }

  /** Whether a schema leads to an object that stands around the place. */
  #isLoop(schema: Schema, { within }: Place): boolean {
    switch (schema.kind) {
      case "list":
        return this.#isLoop(schema.items, { within } as Place);
      case "map":
        return this.#isLoop(schema.values, { within } as Place);
      case "ref": {
        if (within.includes(schema.id)) return true;
        const body = this.#definitions.get(schema.id)?.body;
        return (
          body?.kind === "alias" &&
          this.#isLoop(body.schema, {
            within: [...within, schema.id],
          } as unknown as Place)
        );
      }
      default:
        return false;
    }
  }
}

/** Whether an answer must have a field. Prose is believed: it costs nothing here. */
export function isNeeded({ flags }: Field): boolean {
  return flags.required !== undefined || flags.present !== undefined;
}

function inside(place: Place, id: string): Place {
  return {
    ...place,
    depth: place.depth + 1,
    within: [...place.within, id],
  };
}

function merged(all: readonly (Constraints | undefined)[]): Constraints {
  return Object.assign(
    {},
    ...all.filter((one) => one !== undefined),
  ) as Constraints;
}
