import type {
  PlanDefinition,
  ObjectPlan,
  ConformancePlan,
  PlanType,
  TypeRules,
  VariantPlan,
} from "./plan.js";
import { pick } from "./random.js";
import { scalarOf, textOf, type Limits } from "./scalars.js";

/** Maximum number of optional fields in a generated value. */
const FIELDS = 120;

/** Maximum nesting depth at which optional fields are generated. */
const DEPTH = 5;

/** Context in which a value is generated. */
export interface ValuePurpose {
  readonly direction: "request" | "response";
  /** ID of the method that sends or returns the value. */
  readonly method: string;
  /** True to generate only required fields. */
  readonly isBare?: boolean;
}

/** Generator of values that match schemas. */
export class ValueMaker {
  #remainingFields = FIELDS;
  readonly #plan: ConformancePlan;
  readonly #purpose: ValuePurpose;
  readonly #random: () => number;

  constructor(
    plan: ConformancePlan,
    purpose: ValuePurpose,
    random: () => number,
  ) {
    this.#plan = plan;
    this.#purpose = purpose;
    this.#random = random;
  }

  /** Returns a random value that matches a schema. */
  value(type: PlanType, depth: number = 0, limits: Limits = {}): unknown {
    if (typeof type === "string")
      return type.startsWith("#")
        ? this.#defined(type.slice(1), depth, limits)
        : scalarOf(type, limits, this.#random);
    if (isList(type)) return this.#list(type[0], depth);
    const { of, map, enum: values, oneOf } = type;
    if (values !== undefined) return pick(values, this.#random);
    if (oneOf !== undefined)
      return this.value(pick(oneOf, this.#random), depth);
    if (map !== undefined) return this.#map(map, depth);
    return this.value(of ?? "any", depth, { ...limits, ...type });
  }

  #list(items: PlanType, depth: number): unknown[] {
    const length = this.#isFull(depth) ? 0 : 1 + Math.floor(this.#random() * 2);
    return Array.from({ length }, () => this.value(items, depth + 1));
  }

  #map(values: PlanType, depth: number): unknown {
    if (this.#isFull(depth)) return {};
    return {
      key: this.value(values, depth + 1),
      [textOf(this.#random)]: this.value(values, depth + 1),
    };
  }

  #defined(id: string, depth: number, limits: Limits): unknown {
    const definition: PlanDefinition = this.#plan.definitions[id] ?? "any";
    if (isVariant(definition)) return this.#variant(definition, depth);
    return isObject(definition)
      ? this.#object(definition, depth)
      : this.value(definition, depth, limits);
  }

  #variant({ variant, options, base }: VariantPlan, depth: number): unknown {
    const common =
      base === undefined ? {} : (this.#defined(base, depth, {}) as object);
    const choices = Object.entries(options);
    if (choices.length === 0) return common;
    const [value, id] = pick(choices, this.#random);
    const rest = this.#defined(id, depth, {}) as object;
    return { ...common, ...rest, [variant]: value };
  }

  #object({ fields, additional }: ObjectPlan, depth: number): object {
    const isFull = this.#isFull(depth);
    const entries = Object.entries(fields)
      .filter(([, type]) => this.#isWanted(type, isFull))
      .map(([name, type]) => {
        this.#remainingFields--;
        return [name, this.value(type, depth + 1)] as const;
      });
    if (additional !== undefined && !isFull && fields["key"] === undefined)
      entries.push(["key", this.value(additional, depth + 1)]);
    return Object.fromEntries(entries);
  }

  #isWanted(type: PlanType, isFull: boolean): boolean {
    const { direction, method, isBare } = this.#purpose;
    const { readOnly, present, required }: TypeRules =
      typeof type === "object" && !isList(type) ? type : {};
    if (direction === "request") {
      if (readOnly === true) return false;
      if (required?.includes(method) === true) return true;
    }
    if (present === true) return true;
    return isBare !== true && !isFull && this.#remainingFields > 0;
  }

  #isFull(depth: number): boolean {
    return (
      depth > DEPTH ||
      this.#remainingFields <= 0 ||
      this.#purpose.isBare === true
    );
  }
}

function isList(type: PlanType): type is readonly [PlanType] {
  return Array.isArray(type);
}

function isObject(definition: PlanDefinition): definition is ObjectPlan {
  return typeof definition === "object" && "fields" in definition;
}

function isVariant(definition: PlanDefinition): definition is VariantPlan {
  return typeof definition === "object" && "variant" in definition;
}
