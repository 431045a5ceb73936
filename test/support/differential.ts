import type { ValidateFunction } from "ajv";
import type { RawSchema } from "../../src/load/raw.js";
import { compileWithAjv, type Schemas } from "./json-schema.js";
import { makeValue, randomOf } from "./random-values.js";
import type { Validate } from "./validators.js";

/** How many values passed and did not, and those on which the two disagree. */
export interface Comparison {
  valid: number;
  invalid: number;
  readonly disputes: string[];
}

/** Lets ajv and our validators judge the same random values of all schemas. */
export function compareWithAjv(
  schemas: Schemas,
  validatorOf: (id: string) => Validate | undefined,
  rounds: number,
): Comparison {
  const total: Comparison = { valid: 0, invalid: 0, disputes: [] };
  for (const isClosed of [false, true]) {
    const judgeOf = compileWithAjv(schemas, isClosed);
    for (const id of Object.keys(schemas)) {
      const validate = validatorOf(id);
      if (validate === undefined) continue;
      const judge = judgeOf(id);
      compareOne({ id, schemas, isClosed, judge, validate }, total, rounds);
    }
  }
  return total;
}

interface Pair {
  readonly id: string;
  readonly schemas: Schemas;
  readonly isClosed: boolean;
  readonly judge: ValidateFunction;
  readonly validate: Validate;
}

function compareOne(
  { id, schemas, isClosed, judge, validate }: Pair,
  total: Comparison,
  rounds: number,
): void {
  const unknownFields = isClosed ? "reject" : "ignore";
  for (let round = 0; round < rounds; round++) {
    const value = valueOf(id, schemas, round);
    const isValid = judge(value);
    const result = validate(value, { unknownFields });
    if (isValid) total.valid++;
    else total.invalid++;
    if (result.valid !== isValid)
      total.disputes.push(
        `${id} ${unknownFields} ${JSON.stringify(value)}: ajv ${JSON.stringify(judge.errors)}, ours ${JSON.stringify(result)}`,
      );
  }
}

/** Sparse and dense, clean and noisy values in turn. */
export function valueOf(id: string, schemas: Schemas, round: number): unknown {
  const random = randomOf(round * 7919 + id.length);
  const density = [0.1, 0.4, 0.9][round % 3]!;
  const noise = [0, 0.02, 0.2][Math.floor(round / 3) % 3]!;
  const raw = schemas[id] as RawSchema;
  const value = makeValue(raw, { schemas, random, density, noise });
  return JSON.parse(JSON.stringify(value)) as unknown;
}
