// Programs of the bench: one file that uses compute.v1 and drive.v3. Each has a line
// `…name);`, in which a keystroke makes an error, and for each API the expression
// after which a user types, with a method that the list must contain.
import { versioned } from "../install.mjs";

const INSTANCE = '{ project: "p", zone: "z", instance: "i" }';
const FILE = '{ fileId: "1" }';

/** Expressions with a resource as an object. */
const MEMBERS = {
  compute: {
    after: "compute.instances",
    typed: ".",
    expected: "aggregatedList",
  },
  drive: { after: "drive.files", typed: ".", expected: "emptyTrash" },
};

const ours = (name, folder) => ({
  name,
  kind: "ours",
  text: `import { createCompute } from "../${folder}/compute/v1/index.js";
import { createDrive } from "../${folder}/drive/v3/index.js";
const compute = createCompute({ auth: "token" });
const drive = createDrive({ auth: "token" });
const file = await drive.files.get(${FILE});
const instance = await compute.instances.get(${INSTANCE});
console.log(file.name);
console.log(instance.name);
`,
  ...MEMBERS,
});

/** Returns the programs, the one without a client first. */
export const programs = () => [
  {
    name: "no client",
    kind: "floor",
    text: `declare const compute: { instances: { aggregatedList(): void } };
declare const drive: { files: { emptyTrash(): void } };
const instance: { name?: string } = {};
console.log(instance.name);
export {};
`,
    ...MEMBERS,
  },
  ours("ours", "ours"),
  ours("ours, --emit js", "ours-js"),
  {
    name: "gapi.client typings",
    types: [
      "@maxim_mazurok/gapi.client.compute-v1",
      "@maxim_mazurok/gapi.client.drive-v3",
    ],
    text: `const { compute, drive } = gapi.client;
const { result: file } = await drive.files.get(${FILE});
const { result: instance } = await compute.instances.get(${INSTANCE});
console.log(file.name);
console.log(instance.name);
export {};
`,
    ...MEMBERS,
  },
  {
    name: `@googleapis ${version("@googleapis/compute")}, ${version("@googleapis/drive")}`,
    types: ["node"],
    text: `import { compute as computeApi } from "@googleapis/compute";
import { drive as driveApi } from "@googleapis/drive";
const compute = computeApi({ version: "v1", auth: "key" });
const drive = driveApi({ version: "v3", auth: "key" });
const { data: file } = await drive.files.get(${FILE});
const { data: instance } = await compute.instances.get(${INSTANCE});
console.log(file.name);
console.log(instance.name);
`,
    ...MEMBERS,
  },
  {
    name: versioned("@hey-api/openapi-ts"),
    moduleResolution: "bundler",
    text: `import * as compute from "../hey-api/compute/sdk.gen";
import * as drive from "../hey-api/drive/sdk.gen";
const { data: file } = await drive.driveFilesGet({ path: ${FILE} });
const { data: instance } = await compute.computeInstancesGet({ path: ${INSTANCE} });
console.log(file?.name);
console.log(instance?.name);
`,
    compute: {
      after: "compute",
      typed: ".",
      expected: "computeInstancesAggregatedList",
    },
    drive: { after: "drive", typed: ".", expected: "driveFilesEmptyTrash" },
  },
  {
    name: versioned("openapi-fetch"),
    text: `import createClient from "openapi-fetch";
import type { paths as Compute } from "../openapi-typescript/compute/schema.js";
import type { paths as Drive } from "../openapi-typescript/drive/schema.js";
const compute = createClient<Compute>();
const drive = createClient<Drive>();
const { data: file } = await drive.GET("/drive/v3/files/{fileId}", { params: { path: ${FILE} } });
const { data: instance } = await compute.GET("/compute/v1/projects/{project}/zones/{zone}/instances/{instance}", { params: { path: ${INSTANCE} } });
if (typeof file === "object") console.log(file.name);
if (typeof instance === "object")
  console.log(instance.name);
`,
    compute: {
      after: "compute.GET",
      typed: '("',
      rest: '")',
      expected: "/compute/v1/projects/{project}/aggregated/instances",
    },
    drive: {
      after: "drive.GET",
      typed: '("',
      rest: '")',
      expected: "/drive/v3/files/generateIds",
    },
  },
];

const version = (name) => versioned(name).split(" ")[1];

/** Returns the text of a file, with lines for the expressions at its end. */
export const textOf = ({ text, compute, drive }) =>
  `${text}${compute.after};\n${drive.after};\n`;
