import type { OptionRow } from "../../generate/options.js";
import { definedMembers } from "../../platform/defined-members.js";
import {
  type AdminSpec,
  formatOption,
  numberOf,
  printList,
  texts,
  type Values,
} from "./admin.js";

const states = ["pending", "exporting", "exported", "failed"] as const;

const migration: readonly OptionRow[] = texts(
  {
    org: "name of the organization",
    id: "id of the migration, as in gen migration list",
  },
  ["org", "id"],
);

function parametersOf(values: Values): {
  organization: string;
  migration_id: number;
} {
  return {
    organization: values["org"] as string,
    migration_id: numberOf(values, "id")!,
  };
}

/** Commands that administer migrations, keyed by name. */
export const specs = {
  list: {
    options: [
      ...texts({ org: "list only the migrations of this organization" }),
      {
        name: "state",
        kind: "choice",
        value: "state",
        choices: states,
        description: "list only the migrations in this state",
      },
      formatOption,
    ],
    run: (admin, values, { output }) =>
      printList(
        admin.migrations.list({
          pageSize: 1000,
          ...definedMembers({
            organization: values["org"] as string | undefined,
            state: values["state"] as (typeof states)[number] | undefined,
          }),
        }),
        values,
        output,
        {
          organization: (row) => row.organization,
          id: (row) => row.id,
          state: (row) => row.state,
          started: (row) => row.created_at,
          repositories: (row) => row.repositories.length,
          "archive bytes": (row) => row.archive?.size,
          reason: (row) => row.reason,
        },
        "no migrations",
      ),
  },
  cancel: {
    options: migration,
    async run(admin, values, { output }) {
      const { id } = await admin.migrations.cancel(parametersOf(values));
      output.out(`cancelled ${id}\n`);
    },
  },
  "delete-archive": {
    options: migration,
    async run(admin, values, { output }) {
      const parameters = parametersOf(values);
      await admin.migrations.deleteArchive(parameters);
      output.out(`deleted the archive of ${parameters.migration_id}\n`);
    },
  },
} satisfies Readonly<Record<string, AdminSpec>>;
