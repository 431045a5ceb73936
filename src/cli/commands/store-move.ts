import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { adminDiagnostic } from "../../services/admin/connect.js";
import { moveRecords } from "../../services/store/move.js";
import { UsageError, type Command } from "../command.js";
import { storeOptions } from "./serve-options.js";

const HELP = `
Stop all servers that use the data first. With --data, the records of the folder
are copied to an empty database and the folder is not changed; archives of
migrations remain files in the folder. Without --data, the records of the table
gen_store, in which older versions stored them, are moved to the current tables.

Examples:
  gen store move --data /var/lib/gen --store postgresql://gen@db/gen
  gen store move --store postgresql://gen@db/gen

Exit codes:
  0  success
  2  invalid usage, or the move failed; it can be repeated`;

/** Command `gen store move`: moves records to tables of PostgreSQL. */
export const storeMove: Command = {
  options: storeOptions,
  variables: "SERVE_",
  help: HELP,
  async run(values, { cwd, output }) {
    const { data, store: url } = values as {
      readonly data?: string;
      readonly store?: string;
    };
    if (url === undefined)
      throw new UsageError("--store <url> is required; see --help");
    try {
      const count = await moveRecords({
        data: data === undefined ? undefined : path.resolve(cwd, data),
        url,
      });
      output.out(`${formatCount(count, "record")} moved\n`);
      return 0;
    } catch (error) {
      const diagnostic = adminDiagnostic(error);
      if (diagnostic === undefined) throw error;
      output.err(paragraph(diagnostic, output.color));
      return 2;
    }
  },
};
