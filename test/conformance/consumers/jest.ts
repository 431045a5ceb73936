import { FORMS, type Cell, type Files, type Tool } from "./cell.js";

type Modules = "CommonJS" | "ESM";

const test = ({ program, rootUrl }: Cell): string => `${program}
test("ok", async () => {
  expect(await exercise("${rootUrl}")).toBe("ok");
});
`;

const tsconfig = (modules: Modules, cell: Cell): object => ({
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: modules === "ESM" ? "ESNext" : "CommonJS",
    moduleResolution: modules === "ESM" ? "Bundler" : "Node10",
    strict: true,
    isolatedModules: true,
    types: ["jest"],
    esModuleInterop: true,
    // JavaScript output has ES modules, which Jest's CommonJS needs compiled.
    allowJs: cell.form === "emit" && modules === "CommonJS",
    ...(cell.form === "ts" ? { rewriteRelativeImportExtensions: true } : {}),
  },
});

/** Jest's resolver does not map `.js` to `.ts`; the compiler rewrites `.ts` to `.js`. */
const moduleNameMapper = { "^(\\.{1,2}/.*)\\.js$": "$1" };

const config = (modules: Modules, { form }: Cell): object => ({
  testMatch: ["**/src/*.test.ts"],
  transform: {
    [form === "emit" && modules === "CommonJS" ? "\\.[jt]s$" : "\\.ts$"]: [
      "ts-jest",
      { useESM: modules === "ESM" },
    ],
  },
  ...(modules === "ESM" ? { extensionsToTreatAsEsm: [".ts"] } : {}),
  ...(form === "js" || form === "ts" ? { moduleNameMapper } : {}),
});

const files = (modules: Modules, cell: Cell): Files => ({
  "package.json": {
    private: true,
    ...(modules === "ESM" ? { type: "module" } : {}),
    jest: config(modules, cell),
  },
  "src/exercise.test.ts": test(cell),
  "tsconfig.json": tsconfig(modules, cell),
});

/** Jest with ts-jest, for projects of CommonJS and of ES modules. */
export const jest = (modules: Modules): Tool => ({
  name: `Jest (ts-jest), ${modules}`,
  package: "jest",
  works: FORMS,
  notes: [
    '`js`, `ts`: `moduleNameMapper: { "^(\\\\.{1,2}/.*)\\\\.js$": "$1" }`',
    "`ts`: `rewriteRelativeImportExtensions`",
    modules === "ESM"
      ? "`useESM`, `extensionsToTreatAsEsm`, `--experimental-vm-modules`"
      : "`--emit js`: `transform` of `.js` files, `allowJs`",
  ].join("; "),
  files: (cell) => files(modules, cell),
  // Jest reports to the standard error.
  commands: () => [
    [
      "sh",
      "-c",
      `${modules === "ESM" ? "NODE_OPTIONS=--experimental-vm-modules " : ""}jest --verbose 2>&1`,
    ],
  ],
});
