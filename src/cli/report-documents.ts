import type { OptionValues } from "../generate/options.js";
import type { Context } from "./command.js";
import type { CheckedOutput } from "./reporters/document-changes.js";

/** Prints the changes to the documents since the output was generated. */
export async function reportDocuments(
  outputs: readonly CheckedOutput[],
  { format, quiet }: Pick<OptionValues, "format" | "quiet">,
  { cwd, output }: Context,
): Promise<void> {
  if (format === "json" || format === "sarif" || quiet === true) return;
  const { documentChanges } = await import("./reporters/document-changes.js");
  for (const checked of outputs)
    output.out(await documentChanges(checked, cwd));
}
