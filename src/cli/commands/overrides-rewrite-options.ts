import type { OptionRow } from "../../generate/options.js";

/** Options of `overrides rewrite`. */
export const rewriteOptions: readonly OptionRow[] = [
  {
    name: "out",
    kind: "text",
    value: "file",
    description: "file to write; an existing file is saved as .bak",
  },
  {
    name: "inPlace",
    kind: "switch",
    description: "replace the file; the old one is saved as .bak",
  },
  {
    name: "instanceId",
    kind: "text",
    value: "id",
    description:
      "instanceID if the file has none (default: cluster name and region)",
  },
  {
    name: "region",
    kind: "text",
    value: "region",
    description:
      "gcp.region, and the region of the cluster, if the file has none",
  },
  {
    name: "watcherAccount",
    kind: "text",
    value: "path",
    description:
      "service account file of the watcher (default: derived from MART's if that ends in -apigee-mart.json)",
  },
  {
    name: "metricsAccount",
    kind: "text",
    value: "path",
    description: "service account file of metrics, if the file has none",
  },
  {
    name: "envgroup",
    kind: "list",
    isSingle: true,
    value: "old=new",
    description: "new name of an environment group in virtualhosts",
  },
  {
    name: "report",
    kind: "choice",
    value: "form",
    choices: ["text", "json", "markdown"],
    default: "text",
    description: "format of the report",
  },
  {
    name: "check",
    kind: "switch",
    description: "write nothing; exit with 1 if changes are needed",
  },
  {
    name: "diff",
    kind: "switch",
    excludes: "check",
    description: "write nothing; print the difference",
  },
];
