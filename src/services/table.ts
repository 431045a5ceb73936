import type { ServiceRow } from "./service.js";

/** All services, in the order in which the host matches their paths. */
export const services: readonly ServiceRow[] = [
  {
    name: "directory",
    summary: "lists API descriptions and serves them (discovery:v1)",
    loadApi: async () =>
      (await import("../../generated/discovery/v1/routes.js")).api,
    load: () => import("./directory/index.js"),
  },
  {
    name: "chat",
    summary: "returns chat completions, with or without streaming (chat:v1)",
    loadApi: async () =>
      (await import("../../generated/chat/v1/routes.js")).api,
    load: () => import("./chat/index.js"),
  },
  {
    name: "marketplace",
    summary:
      "lists an owner's items and validates purchase codes (marketplace:v1)",
    loadApi: async () =>
      (await import("../../generated/marketplace/v1/routes.js")).api,
    load: () => import("./marketplace/index.js"),
  },
  {
    name: "migration",
    summary: "exports repositories of organizations (migration:v1)",
    // A worker owns the exports in an embedded store.
    isExclusive: true,
    loadApi: async () =>
      (await import("../../generated/migration/v1/routes.js")).api,
    load: () => import("./migration/index.js"),
  },
];
