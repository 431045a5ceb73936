import { FORMS, type Cell, type Tool } from "./cell.js";

/** The runtime calls the handler `test`; its exception ends \`workerd test\` with 1. */
const worker = ({ program, rootUrl }: Cell): string => `${program}
export default {
  async test() {
    console.log(await exercise("${rootUrl}"));
  },
};
`;

/** Without compatibility flags: no modules and globals of Node. */
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["local"])),
  ],
);
`;

/** The runtime of Cloudflare's workers; workers are bundled, as Wrangler does with esbuild. */
export const workerd: Tool = {
  name: "workerd",
  package: "workerd",
  works: FORMS,
  notes: "a bundle of esbuild; no compatibility flags",
  files: (cell) => ({
    "src/worker.ts": worker(cell),
    "tsconfig.json": { compilerOptions: { target: "ES2022" } },
    "worker.capnp": CONFIG,
  }),
  commands: () => [
    [
      "esbuild",
      "src/worker.ts",
      "--bundle",
      "--format=esm",
      "--target=es2022",
      "--outfile=dist/worker.js",
    ],
    // Both streams: the console of workerd is the standard error.
    ["sh", "-c", "workerd test worker.capnp 2>&1"],
  ],
};
