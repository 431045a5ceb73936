import path from "node:path";
import {
  formOptions,
  isImportable,
  MODULE_TYPE,
  outputFormOf,
} from "../../config/output-form.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { flagOf } from "../../generate/options.js";
import type { GroupPlan } from "../../generate/pipeline.js";

/** Run that created output. */
export interface CreatedOutput {
  /** Output folder, relative to the working directory. */
  readonly out: string;
  readonly emit: string;
  readonly importSuffix: string;
}

/** Line of a generated index file that exports the function of the client. */
const EXPORT = /^export \{ (create[^ ,}]+) \} from "\.\/client(\.\w+)?";$/m;

/**
 * Returns lines with the import of the first client that a run creates, for a
 * file beside the output folder, and with what the project must change to import
 * it. Returns an empty text for runs that create no client.
 */
export function firstImport(
  plans: readonly GroupPlan[],
  { out, emit, importSuffix }: CreatedOutput,
  cwd: string,
): string {
  const created = plans
    .flatMap(({ files }) => files)
    .flatMap(({ path: name, action, content = "" }) => {
      const [, client, suffix = ""] =
        action === "create" && /\/index\.[jt]s$/.test(name)
          ? (EXPORT.exec(content) ?? [])
          : [];
      const file = name.replace(/\.[jt]s$/, suffix);
      return client === undefined ? [] : [{ client, file }];
    });
  const [first] = created;
  if (first === undefined) return "";
  const folder = path.resolve(cwd, out);
  const parent = path.relative(cwd, path.dirname(folder));
  const specifier = `./${path.basename(folder)}/${first.file}`;
  const rest = created.length - 1;
  const others = rest === 0 ? "" : ` // and ${formatCount(rest, "more API")}`;
  const position = parent === "" ? "" : ` in ${parent}`;
  const lines = [
    `Import it${position}:`,
    `  import { ${first.client} } from ${JSON.stringify(specifier)};${others}`,
  ];
  const form = outputFormOf(folder);
  if (form !== undefined && !isImportable(form, emit, importSuffix)) {
    const options = Object.entries(formOptions(form)).map(
      ([name, value]) => `${flagOf(name)} ${value}`,
    );
    const fix = form.fix ?? `Use ${options.join(" ") || "--import-suffix js"}.`;
    lines.push(`hint: ${form.reason}. ${fix}`);
  }
  if (form?.needsModuleType === true)
    lines.push(`hint: ${MODULE_TYPE.message}. ${MODULE_TYPE.fix}`);
  return lines.map((line) => `${visible(line)}\n`).join("");
}
