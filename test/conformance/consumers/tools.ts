import { transformSync } from "esbuild";
import {
  FORMS,
  nodeBinary,
  nodePackage,
  type Cell,
  type Files,
  type Form,
  type Tool,
} from "./cell.js";
import { jest } from "./jest.js";
import { next } from "./next.js";
import { workerd } from "./workerd.js";

/** The program, and a call of it. */
const main = ({ program, rootUrl }: Cell): string =>
  `${program}\nconsole.log(await exercise("${rootUrl}"));\n`;

/** The same in JavaScript, for tools without TypeScript. */
const javascript = (cell: Cell): string =>
  transformSync(main(cell), { loader: "ts" }).code;

/** Options that `tsc --init` and templates of bundlers have, without a runtime's types. */
const compilerOptions = (form: Form, more: object = {}): object => ({
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "ESNext",
  moduleResolution: "Bundler",
  strict: true,
  noUncheckedIndexedAccess: true,
  types: [],
  outDir: "dist",
  rootDir: "src",
  ...(form === "ts" ? { rewriteRelativeImportExtensions: true } : {}),
  ...more,
});

const project = (cell: Cell, more: object = {}): Files => ({
  "src/main.ts": main(cell),
  "tsconfig.json": {
    compilerOptions: compilerOptions(cell.form, more),
    include: ["src"],
  },
});

function stripping(major: 22 | 24): Tool {
  return {
    name: `Node ${major}, type stripping`,
    package: nodePackage(major),
    works: ["ts", "emit"],
    notes: "22.18 or later; Node resolves the names of files only",
    files: (cell) => ({ "src/main.ts": main(cell) }),
    commands: () => [[nodeBinary(major), "src/main.ts"]],
  };
}

/** The binary; the command `bun` exists only after the package's install script. */
const BUN = `../../node_modules/@oven/bun-${process.platform}-${process.arch.replace("arm64", "aarch64")}/bin/bun`;

const WEBPACK_CONFIG = `
import path from "node:path";
export default {
  mode: "production",
  target: "node20",
  entry: "./src/main.ts",
  output: { module: true, path: path.resolve("dist"), filename: "main.js" },
  experiments: { outputModule: true },
  module: { rules: [{ test: /\\.ts$/, loader: "ts-loader" }] },
  resolve: {
    extensions: [".ts", ".js"],
    extensionAlias: { ".js": [".ts", ".js"] },
  },
};
`;

const ROLLUP_CONFIG = `
import typescript from "@rollup/plugin-typescript";
export default {
  input: "src/main.ts",
  output: { dir: "dist", format: "es" },
  plugins: [typescript()],
};
`;

export const TOOLS: readonly Tool[] = [
  {
    name: "tsc (`nodenext`), Node 20",
    package: "typescript",
    works: ["js", "ts", "emit"],
    notes:
      "`ts`: `rewriteRelativeImportExtensions`; `none`: ES modules of Node need suffixes",
    files: (cell) =>
      project(cell, { module: "NodeNext", moduleResolution: "NodeNext" }),
    commands: () => [["tsc"], [nodeBinary(20), "dist/main.js"]],
  },
  {
    name: "Node 20, no compiler",
    package: nodePackage(20),
    works: ["emit"],
    notes: "the other forms are TypeScript",
    files: (cell) => ({ "src/main.js": javascript(cell) }),
    commands: () => [[nodeBinary(20), "src/main.js"]],
  },
  stripping(22),
  stripping(24),
  {
    name: "tsx",
    package: "tsx",
    works: FORMS,
    notes: "",
    files: project,
    commands: () => [["tsx", "src/main.ts"]],
  },
  {
    name: "esbuild",
    package: "esbuild",
    works: FORMS,
    notes: "",
    files: project,
    commands: () => [
      [
        "esbuild",
        "src/main.ts",
        "--bundle",
        "--format=esm",
        "--outfile=dist/main.js",
      ],
      ["node", "dist/main.js"],
    ],
  },
  {
    name: "Vite",
    package: "vite",
    works: FORMS,
    notes: "the same for Vitest",
    files: (cell) => ({
      ...project(cell),
      "vite.config.js": `export default { build: { ssr: "src/main.ts" } };`,
    }),
    commands: () => [
      ["vite", "build"],
      ["node", "dist/main.js"],
    ],
  },
  {
    name: "Rollup",
    package: "rollup",
    works: FORMS,
    notes:
      "`@rollup/plugin-typescript`; `ts`: `rewriteRelativeImportExtensions`",
    files: (cell) => ({ ...project(cell), "rollup.config.js": ROLLUP_CONFIG }),
    commands: () => [
      ["rollup", "-c", "--failAfterWarnings"],
      ["node", "dist/main.js"],
    ],
  },
  {
    name: "webpack",
    package: "webpack",
    works: FORMS,
    notes:
      '`ts-loader`; `js`: `resolve.extensionAlias: { ".js": [".ts", ".js"] }`',
    files: (cell) => ({
      ...project(cell),
      "webpack.config.js": WEBPACK_CONFIG,
    }),
    // webpack-cli needs Node 22.15.
    commands: () => [
      [nodeBinary(24), "../../node_modules/webpack-cli/bin/cli.js"],
      ["node", "dist/main.js"],
    ],
  },
  jest("CommonJS"),
  jest("ESM"),
  next("Turbopack"),
  next("webpack"),
  {
    name: "Deno",
    package: "deno",
    works: ["ts", "emit"],
    notes:
      "`--emit js`: without types, since Deno does not read `.d.ts` files beside `.js` files; Deno resolves the names of files only",
    files: (cell) => ({ "deno.json": {}, "src/main.ts": main(cell) }),
    commands: ({ form }) => [
      [
        "deno",
        "run",
        ...(form === "ts" ? ["--check"] : []),
        "--allow-net",
        "src/main.ts",
      ],
    ],
  },
  {
    name: "Bun",
    package: "bun",
    works: FORMS,
    notes: "",
    files: project,
    commands: () => [[BUN, "src/main.ts"]],
  },
  workerd,
];
