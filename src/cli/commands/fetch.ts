import { mergeFindings } from "../../diagnostics/equal-messages.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { updateApis } from "../../config/update-apis.js";
import type { Update } from "../../remote/update-documents.js";
import { configOption, remoteOptions } from "../../generate/options.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import { requireConfig, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { progressOf } from "../progress.js";
import { remoteOptionsOf, type RemoteValues } from "../remote-options.js";
import {
  formatOption,
  reportFindings,
  type Format,
} from "../reporters/findings.js";

interface Values extends RemoteValues {
  readonly names?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly frozen?: boolean;
  readonly force?: boolean;
  readonly format: Format;
}

const EXIT_CODES = `
Exit codes:
  0  the documents are up to date
  1  --frozen: a document or the lock file would change
  2  invalid usage or config, or a file that can't be written
  3  a server failed, or a document can't be used; the other documents were updated`;

/** Command `gen fetch`: updates fetched documents and the lock file. */
export const fetch: Command = {
  operands: {
    name: "names",
    description: "names of APIs to update, as in the config (default: all)",
    isMany: true,
    isOptional: true,
  },
  options: [
    ...remoteOptions,
    configOption,
    {
      name: "frozen",
      kind: "switch",
      description: "write nothing; exit with 1 if a file would change",
    },
    {
      name: "force",
      kind: "switch",
      description:
        "accept revisions that are older than the locked revisions, and documents that lost more than half of their methods or schemas",
    },
    formatOption,
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { names = [], config, noConfig, frozen, force, format, ...remote }: Values,
  { cwd, output }: Context,
): Promise<number> {
  requireConfig(noConfig, "gen fetch");
  const result = await updateApis({
    ...remoteOptionsOf(remote),
    cwd,
    config,
    apis: names,
    isFrozen: frozen,
    isForced: force,
    onProgress: progressOf({ format, progress: "auto" }, output)?.onDocument,
  });
  if (format === "json")
    output.out(
      `${visibleJson({ apis: result.updates, diagnostics: result.diagnostics })}\n`,
    );
  else {
    reportFindings(mergeFindings(result.diagnostics), format, output);
    output.out(summary(result.updates, force === true, frozen === true));
  }
  return exitCodeOf(result.diagnostics) ?? 0;
}

function summary(
  updates: readonly Update[],
  isForced: boolean,
  isFrozen: boolean,
): string {
  const changed = updates.filter(
    ({ status }) =>
      status === "new" ||
      status === "outdated" ||
      ((status === "older" || status === "shrunk") && isForced),
  );
  const lines = changed.map(
    ({ id, locked = "none", latest = "none" }) =>
      `${visible(id)}: revision ${locked} → ${latest}`,
  );
  const published = updates.filter(({ status }) => status !== "gone");
  const count = `${formatCount(changed.length, "document")} ${isFrozen ? "to update" : "updated"}, ${published.length - changed.length} unchanged`;
  return [...lines, count].map((line) => `${line}\n`).join("");
}
