import type { OptionRow } from "../../generate/options.js";

/** Options that select the data store of the services. */
export const storeOptions: readonly OptionRow[] = [
  {
    name: "data",
    kind: "text",
    value: "dir",
    description: "folder for persistent data; created if missing",
  },
  {
    name: "store",
    kind: "text",
    value: "url",
    description:
      "database to use instead of the folder: postgresql://user@host/database (requires the packages pg, node-pg-migrate, pg-copy-streams and rate-limiter-flexible, for migration also graphile-worker); pass a URL with a password in GEN_SERVE_STORE, which other users can't see",
  },
];

/** Options of `gen serve`. */
export const serveOptions: readonly OptionRow[] = [
  {
    name: "port",
    kind: "text",
    value: "number",
    default: "8080",
    description: "port to listen on; 0 selects a free port",
  },
  {
    name: "host",
    kind: "text",
    value: "address",
    default: "127.0.0.1",
    description: "address to listen on; 0.0.0.0 for all IPv4 addresses",
  },
  ...storeOptions,
  {
    name: "config",
    kind: "text",
    value: "file",
    description:
      "YAML or JSON file with a section of settings for each service",
  },
  {
    name: "checkConfig",
    kind: "switch",
    description:
      "check the config, its files and certificates, then end without serving",
  },
  {
    name: "demo",
    kind: "switch",
    description: "add sample data and print example requests",
  },
];
