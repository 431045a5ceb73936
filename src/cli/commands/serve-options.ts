import type { OptionRow } from "../../generate/options.js";

/** Where the services keep what has to last. */
export const storeOptions: readonly OptionRow[] = [
  {
    name: "data",
    kind: "text",
    value: "dir",
    description: "folder for what has to last; made where it is missing",
  },
  {
    name: "store",
    kind: "text",
    value: "url",
    description:
      "database instead of the folder's own store: postgresql://user@host/database (needs the package pg); with a password better as GEN_SERVE_STORE, which other users can't see",
  },
];

/** Options of `gen serve`. */
export const serveOptions: readonly OptionRow[] = [
  {
    name: "port",
    kind: "text",
    value: "number",
    default: "8080",
    description: "port to listen on; 0 takes a free one",
  },
  {
    name: "host",
    kind: "text",
    value: "address",
    default: "127.0.0.1",
    description: "address to listen on; 0.0.0.0 for all of the machine's",
  },
  ...storeOptions,
  {
    name: "config",
    kind: "text",
    value: "file",
    description: "settings as YAML or JSON, with a part for each service",
  },
  {
    name: "demo",
    kind: "switch",
    description: "put in what shows the services, and print how to try them",
  },
];
