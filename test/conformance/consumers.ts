/** Suffixes of relative imports in generated code (`--import-suffix`). */
export const SUFFIXES = ["js", "ts", "none"] as const;
export type Suffix = (typeof SUFFIXES)[number];

/** Tool that builds and runs a program. */
export interface Tool {
  readonly name: string;
  /** Supported suffixes. */
  readonly works: readonly Suffix[];
  /** Required config files by name. */
  readonly files: (suffix: Suffix) => Readonly<Record<string, string | object>>;
  /** Commands to run; the last one prints the result of the client. */
  readonly commands: (suffix: Suffix) => readonly (readonly string[])[];
}

/** The package with the binary of Node for this platform. */
const NODE = `node-${process.platform}-${process.arch}`;

/** Packages of all tools, as npm installs them. */
export const PACKAGES = [
  "@rollup/plugin-typescript@12.3.1",
  "@types/node@20",
  "@types/react@19.3.0",
  "bun@1.4.5",
  "deno@2.9.6",
  "esbuild@0.28.2",
  "jest@30.5.2",
  "next@16.4.6",
  `${NODE}@24`,
  "react@19.3.1",
  "react-dom@19.3.1",
  "rollup@4.68.7",
  "ts-jest@29.4.15",
  "ts-loader@9.6.2",
  "tslib@2.9.1",
  "tsx@4.23.15",
  "typescript@5.9",
  "vite@8.3.8",
  "webpack@5.112.2",
  "webpack-cli@7.3.1",
];

const RUN = `import { result } from "./main.js";\nconsole.log(result);\n`;

/** Returns a program that prints; its import has the suffix of the tool. */
const show = (specifier: string): string => RUN.replace("./main.js", specifier);

const specifier = (suffix: Suffix): string =>
  suffix === "none" ? "./main" : `./main.${suffix}`;

const entry = (suffix: Suffix) => ({ "src/run.ts": show(specifier(suffix)) });

const compilerOptions = (suffix: Suffix, more: object = {}) => ({
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "ESNext",
  moduleResolution: "Bundler",
  strict: true,
  skipLibCheck: true,
  types: [],
  outDir: "dist",
  rootDir: "src",
  ...(suffix === "ts" ? { rewriteRelativeImportExtensions: true } : {}),
  ...more,
});

const tsconfig = (suffix: Suffix, more: object = {}) => ({
  "tsconfig.json": {
    compilerOptions: compilerOptions(suffix, more),
    include: ["src"],
  },
});

const ALL: readonly Suffix[] = SUFFIXES;

/** Next.js adds nothing to it; without `strict`, as its own default is. */
const NEXT = {
  compilerOptions: {
    target: "ES2022",
    lib: ["DOM", "DOM.Iterable", "ESNext"],
    module: "ESNext",
    moduleResolution: "Bundler",
    jsx: "react-jsx",
    allowJs: true,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
    incremental: true,
    isolatedModules: true,
    noEmit: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    strict: false,
    plugins: [{ name: "next" }],
  },
  include: ["**/*.ts", "**/*.tsx"],
  exclude: ["node_modules"],
};

export const TOOLS: readonly Tool[] = [
  {
    name: "tsc (`nodenext`), Node",
    works: ["js", "ts"],
    files: (suffix) => ({
      ...entry(suffix),
      ...tsconfig(suffix, { module: "NodeNext", moduleResolution: "NodeNext" }),
    }),
    commands: () => [
      ["tsc", "-p", "."],
      ["node", "dist/run.js"],
    ],
  },
  {
    name: "Node, type stripping",
    works: ["ts"],
    files: entry,
    commands: () => [[`../node_modules/${NODE}/bin/node`, "src/run.ts"]],
  },
  {
    name: "tsx",
    works: ALL,
    files: entry,
    commands: () => [["tsx", "src/run.ts"]],
  },
  {
    name: "esbuild",
    works: ALL,
    files: entry,
    commands: () => [
      [
        "esbuild",
        "src/run.ts",
        "--bundle",
        "--format=esm",
        "--outfile=dist/run.js",
      ],
      ["node", "dist/run.js"],
    ],
  },
  {
    name: "Vite",
    works: ALL,
    files: (suffix) => ({
      ...entry(suffix),
      "vite.config.js": `export default { build: { ssr: "src/run.ts", target: "es2022" } };`,
    }),
    commands: () => [
      ["vite", "build"],
      ["node", "dist/run.js"],
    ],
  },
  {
    name: "Rollup",
    works: ALL,
    files: (suffix) => ({
      ...entry(suffix),
      ...tsconfig(suffix),
      "rollup.config.js": `
        import typescript from "@rollup/plugin-typescript";
        export default {
          input: "src/run.ts",
          output: { dir: "dist", format: "es" },
          plugins: [typescript()],
        };`,
    }),
    commands: () => [
      ["rollup", "-c"],
      ["node", "dist/run.js"],
    ],
  },
  {
    name: "webpack",
    works: ALL,
    files: (suffix) => ({
      ...entry(suffix),
      ...tsconfig(suffix),
      "webpack.config.js": `
        export default {
          mode: "production",
          target: "node20",
          entry: "./src/run.ts",
          output: { module: true, path: import.meta.dirname + "/dist", filename: "run.js" },
          experiments: { outputModule: true },
          module: { rules: [{ test: /\\.ts$/, loader: "ts-loader" }] },
          resolve: { extensions: [".ts", ".js"], extensionAlias: { ".js": [".ts", ".js"] } },
        };`,
    }),
    commands: () => [["webpack"], ["node", "dist/run.js"]],
  },
  {
    name: "Jest (ts-jest)",
    works: ALL,
    files: (suffix) => ({
      "package.json": { private: true },
      ...tsconfig(suffix, {
        module: "CommonJS",
        moduleResolution: "Node10",
        ignoreDeprecations: "5.0",
        types: ["jest"],
      }),
      "src/main.ts": `
        import { createDemo } from "./generated/demo/v1/index${suffix === "none" ? "" : `.${suffix}`}";
        declare const test: (name: string, run: () => Promise<void>) => void;
        test("it works", async () => {
          const fetch = async () => Response.json({ name: "a" });
          const file = await createDemo({ fetch }).files.get({ fileId: "a" });
          if (file.name !== "a") throw new Error("no name");
        });`,
      "jest.config.js": `
        module.exports = {
          testMatch: ["**/main.ts"],
          transform: { "\\\\.ts$": ["ts-jest", { diagnostics: false }] },
          moduleNameMapper: { "^(\\\\.{1,2}/.*)\\\\.js$": "$1" },
        };`,
    }),
    commands: () => [["sh", "-c", "jest --verbose 2>&1"]],
  },
  {
    name: "Next.js",
    works: ["ts", "none"],
    files: (suffix) => ({
      "tsconfig.json": NEXT,
      "app/layout.tsx": `
        export default function Layout({ children }: { children: React.ReactNode }) {
          return <html><body>{children}</body></html>;
        }`,
      "app/page.tsx": `
        import { result } from "../src/${specifier(suffix).slice(2)}";
        export default function Page() { return <p>{result}</p>; }`,
    }),
    commands: () => [
      ["next", "build"],
      ["cat", ".next/server/app/index.html"],
    ],
  },
  {
    name: "Deno",
    works: ["ts"],
    files: entry,
    commands: () => [["deno", "run", "--no-config", "src/run.ts"]],
  },
  {
    name: "Bun",
    works: ALL,
    files: entry,
    commands: () => [["bun", "src/run.ts"]],
  },
];
