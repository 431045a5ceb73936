import {
  DEFAULT_LIMITS,
  type HttpSettings,
} from "../../../src/remote/http/http-settings.js";
import { description } from "../../support/generate.js";

/** Settings that permit servers of tests, with short limits. */
export function testSettings(
  overrides: Partial<HttpSettings> = {},
): HttpSettings {
  return {
    allowHttp: true,
    allowPrivate: true,
    headersOf: () => ({}),
    secrets: [],
    env: {},
    ...overrides,
    limits: {
      ...DEFAULT_LIMITS,
      total: 2_000,
      idle: 300,
      delays: [],
      ...overrides.limits,
    },
  };
}

/** Returns a small document. */
export function shop(
  revision = "20240101",
  extra: object = {},
): Record<string, unknown> {
  return {
    ...description({ name: "shop", version: "v1" }),
    revision,
    schemas: {
      Thing: { id: "Thing", type: "object", description: `R ${revision}` },
    },
    methods: { get: { id: "shop.get", path: "things", httpMethod: "GET" } },
    ...extra,
  };
}
