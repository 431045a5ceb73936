import { expect, test } from "vitest";
import type { ConformancePlan } from "../../../src/runtime/conformance/plan.js";
import { ValueMaker } from "../../../src/runtime/conformance/values.js";
import { planData } from "../../../src/targets/conformance/index.js";
import {
  contextOf,
  description,
  generateConformance,
} from "../../support/generate.js";

const { api } = generateConformance(
  description({
    schemas: {
      Shape: {
        type: "object",
        properties: {
          name: { type: "string" },
          owner: { $ref: "Owner" },
          id: { type: "string", readOnly: true },
        },
        variant: {
          discriminant: "kind",
          map: [{ type_value: "circle", $ref: "Circle" }],
        },
      },
      Circle: { type: "object", properties: { radius: { type: "number" } } },
      Owner: { type: "object", properties: { mail: { type: "string" } } },
    },
    methods: {
      put: {
        id: "demo.put",
        path: "a",
        httpMethod: "POST",
        request: { $ref: "Shape" },
        response: { $ref: "Shape" },
      },
    },
  }),
);

test("values of variants have the properties that all options share", () => {
  const plan = planData(contextOf(api)) as unknown as ConformancePlan;
  const made = (direction: "request" | "response"): unknown => {
    const purpose = { direction, method: "demo.put" };
    return new ValueMaker(plan, purpose, () => 0).value("#Shape");
  };
  const shared = {
    kind: "circle",
    name: expect.any(String) as string,
    owner: { mail: expect.any(String) as string },
    radius: expect.any(Number) as number,
  };
  expect(made("request")).toEqual(shared);
  expect(made("response")).toEqual({
    ...shared,
    id: expect.any(String) as string,
  });
});
