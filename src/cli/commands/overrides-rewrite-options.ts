import type { OptionRow } from "../../generate/options.js";

/** Options of `overrides rewrite`. */
export const rewriteOptions: readonly OptionRow[] = [
  {
    name: "out",
    kind: "text",
    value: "file",
    description: "file to write; an existing file is kept with the suffix .bak",
  },
  {
    name: "inPlace",
    kind: "switch",
    description:
      "replace the overrides file; the old file is kept with the suffix .bak",
  },
  {
    name: "instanceId",
    kind: "text",
    value: "id",
    description:
      "value to set in instanceID if the overrides file does not set it (default: derived from cluster name and region)",
  },
  {
    name: "region",
    kind: "text",
    value: "region",
    description:
      "region to set in gcp.region and k8sCluster.region if the overrides file does not set them",
  },
  {
    name: "watcherAccount",
    kind: "text",
    value: "path",
    description:
      "service account file for the Watcher component (default: derived from the name of the MART component's service account file if it ends with -apigee-mart.json)",
  },
  {
    name: "metricsAccount",
    kind: "text",
    value: "path",
    description:
      "service account file for the metrics component if the overrides file does not specify one",
  },
  {
    name: "envgroup",
    kind: "list",
    isSingle: true,
    value: "old=new",
    description: "new name of an environment group in virtualhosts, as OLD=NEW",
  },
  {
    name: "report",
    kind: "choice",
    value: "form",
    choices: ["text", "json", "markdown"],
    default: "text",
    description: "format of the rewrite report",
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
    description: "write nothing; print the changes as a diff",
  },
];
