import path from "node:path";
import { build, type Plugin } from "esbuild";
import type {
  ValidationOptions,
  ValidationResult,
} from "../../src/runtime/validator/index.js";
import { generateValidators } from "./generate.js";
import { ROOT } from "./paths.js";

/** A function of validators.ts. */
export type Validate = (
  value: unknown,
  options?: ValidationOptions,
) => ValidationResult;

/** The functions of validators.ts by name. */
export type Validators = Readonly<Record<string, Validate>>;

/** Generates the validators of a document and loads them. */
export function loadValidators(document: unknown): Promise<Validators> {
  const { files } = generateValidators(document, { functionsOnly: true });
  const [text = ""] = files.values();
  return loadText(text);
}

/** Loads the text of a validators.ts, with the runtime that it imports. */
export async function loadText(text: string): Promise<Validators> {
  const code = await bundleText(text);
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return (await import(url)) as Validators;
}

/** Entry that exports both generated files. */
export const BOTH_FILES =
  'export * from "./validators.ts"; export * from "./json-schemas.js";';

/**
 * One file with all that a validators.ts needs, or what an import of it leaves.
 * @param json text of json-schemas.ts
 */
export async function bundleText(
  text: string,
  entry = 'export * from "./validators.ts";',
  json = "export {};",
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: "/out/api/v1", loader: "ts" },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    plugins: [virtual(text, json)],
  });
  return outputFiles[0]!.text;
}

/** Finds validators.ts and json-schemas.ts in memory, and the runtime in the sources. */
function virtual(text: string, json: string): Plugin {
  const runtime = path.join(ROOT, "src/runtime/validator");
  return {
    name: "virtual",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\/validators\.[jt]s$/ }, () => ({
        path: "validators.ts",
        namespace: "virtual",
      }));
      onResolve({ filter: /runtime\/validator\// }, (found) => ({
        path: path.join(
          runtime,
          path.basename(found.path).replace(/\.js$/, ".ts"),
        ),
      }));
      onResolve({ filter: /^\.\/json-schemas\.js$/ }, () => ({
        path: "json-schemas.ts",
        namespace: "virtual",
      }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path: file }) => ({
        contents: file === "validators.ts" ? text : json,
        loader: "ts",
      }));
    },
  };
}
