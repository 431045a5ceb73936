import type { OutputFile } from "../platform/output-file.js";
import { importInstalled } from "../platform/installed-package.js";

type Oxc = typeof import("oxc-transform");

/**
 * Converts a TypeScript file of the output to JavaScript and declarations.
 * Modules that nothing imports, such as tests, have no declarations.
 */
export type ToJavaScript = (file: OutputFile) => OutputFile[];

/** Converter of `--emit js`. */
export interface JavaScriptConverter {
  readonly convert: ToJavaScript;
  /** Version of the compiler, on which the output depends. */
  readonly version: string;
}

/**
 * Returns the converter of `--emit js`. The compiler is loaded from the first of
 * these folders in which it is installed, otherwise from this package.
 * @throws MissingPackageError if the compiler is not installed
 */
export async function javaScriptConverter(
  folders: readonly string[],
): Promise<JavaScriptConverter> {
  const { module, version } = await importInstalled<Oxc>(
    "oxc-transform",
    "`--emit js`",
    folders,
  );
  return { version, convert: (file) => convert(file, module) };
}

/** Comments at the start of a file, up to the first blank line. */
const HEADER = /^(?:\/\/.*\n|\/\*.*\*\/\n)*(?=\n)/;

function convert({ path, text }: OutputFile, oxc: Oxc): OutputFile[] {
  // The compiler removes the header together with an import of types after it.
  const [header] = HEADER.exec(text) ?? [""];
  const { code, declaration, errors } = oxc.transformSync(path, text, {
    lang: "ts",
    sourceType: "module",
    typescript: { onlyRemoveTypeImports: true, declaration: {} },
  });
  if (errors.length > 0)
    throw new Error(`${path}: ${errors[0]!.codeframe ?? errors[0]!.message}`);
  const base = path.slice(0, -".ts".length);
  const withHeader = (content: string): string =>
    `${header}\n${content.startsWith(header) ? content.slice(header.length) : content}`;
  const script = { path: `${base}.js`, text: withHeader(code) };
  if (base.endsWith(".test")) return [script];
  // A module that contains only types is its own declaration. The compiler would
  // remove the comments of enum values.
  const declared = code.endsWith("export {};\n")
    ? text
    : withHeader(declaration!);
  return [script, { path: `${base}.d.ts`, text: declared }];
}
