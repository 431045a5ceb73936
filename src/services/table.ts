import type { ServiceRow } from "./service.js";

/** All services, in the order in which the host matches their paths. */
export const services: readonly ServiceRow[] = [
  {
    name: "directory",
    summary: "lists API descriptions and serves them (discovery:v1)",
    load: () => import("./directory/index.js"),
  },
  {
    name: "chat",
    summary: "returns chat completions, with or without streaming (chat:v1)",
    load: () => import("./chat/index.js"),
  },
  {
    name: "marketplace",
    summary:
      "lists an owner's items and validates purchase codes (marketplace:v1)",
    load: () => import("./marketplace/index.js"),
  },
  {
    name: "migration",
    summary: "exports repositories of organizations (migration:v1)",
    // A worker owns the exports in an embedded store.
    isExclusive: true,
    load: () => import("./migration/index.js"),
  },
];
