import path from "node:path";
import type { OutputFile } from "../targets/target.js";

/** Formats with the Prettier and the settings that the output folder's project has. */
export async function prettierFormatter(
  out: string,
): Promise<(file: OutputFile) => Promise<string>> {
  const prettier = await import("prettier");
  const settings = await prettier.resolveConfig(path.join(out, "index.ts"), {
    editorconfig: true,
  });
  return ({ text }) =>
    prettier.format(text, { ...settings, parser: "typescript" });
}
