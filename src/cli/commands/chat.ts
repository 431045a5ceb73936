import type {
  ChatKey,
  ChatUsage,
} from "../../../generated/admin/v1/schemas.js";
import type { OptionRow } from "../../generate/options.js";
import { definedMembers } from "../../platform/defined-members.js";
import {
  formatUsage,
  type UsageFormat,
  usageFormats,
} from "../../services/chat/usage-report.js";
import {
  type AdminSpec,
  changes,
  formatOption,
  numberOf,
  printKey,
  printList,
  texts,
  timeOf,
  type Values,
} from "./admin.js";

const models: OptionRow = {
  name: "models",
  kind: "list",
  value: "names",
  description: "names of the allowed models (default: all models)",
};

const settings: readonly OptionRow[] = [
  models,
  ...texts(
    {
      requestsPerMinute: "maximum number of requests per minute",
      tokensPerMinute: "maximum number of tokens per minute",
      tokensPerDay: "budget of tokens per day (UTC)",
      tokensPerMonth: "budget of tokens per month (UTC)",
      expires:
        "time from which the key is invalid, such as 2026-12-31 (default: never)",
    },
    [],
    {
      requestsPerMinute: "number",
      tokensPerMinute: "number",
      tokensPerDay: "number",
      tokensPerMonth: "number",
      expires: "time",
    },
  ),
];

const id = texts({ id: "id of the key, as in gen chat key list" }, ["id"]);

/** Returns the settings of a key that options contain; null removes one. */
function settingsOf(
  values: Values,
): Pick<ChatKey, "limits" | "budgets" | "models" | "expires_at"> {
  const countOf = (name: string): number | null | undefined =>
    values[name] === "unlimited" ? null : numberOf(values, name);
  const limits = definedMembers({
    requests_per_minute: countOf("requestsPerMinute"),
    tokens_per_minute: countOf("tokensPerMinute"),
  });
  const budgets = definedMembers({
    tokens_per_day: countOf("tokensPerDay"),
    tokens_per_month: countOf("tokensPerMonth"),
  });
  const names = values["models"] as string[] | undefined;
  const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
  return definedMembers({
    models: names?.length === 1 && names[0] === "all" ? null : names,
    limits: isEmpty(limits) ? undefined : limits,
    budgets: isEmpty(budgets) ? undefined : budgets,
    expires_at: timeOf(values, "expires"),
  });
}

/** Commands that administer the chat service, keyed by name. */
export const specs = {
  "key create": {
    options: [
      ...texts(
        {
          name: "name of the key in the log, in metrics and in reports",
          owner: "person, team or account to which usage is attributed",
        },
        ["name", "owner"],
      ),
      ...settings,
    ],
    async run(admin, values, { output }) {
      const { key, details } = await admin.chat.keys.create({
        requestBody: {
          name: values["name"] as string,
          owner: values["owner"] as string,
          ...settingsOf(values),
        },
      });
      printKey({ key, id: details.id }, output);
    },
  },
  "key list": {
    options: [
      ...texts({ owner: "list only the keys of this owner" }),
      formatOption,
    ],
    run: (admin, values, { output }) =>
      printList(
        admin.chat.keys.list({
          pageSize: 1000,
          ...definedMembers({ owner: values["owner"] as string | undefined }),
        }),
        values,
        output,
        {
          id: (row) => row.id,
          name: (row) => row.name,
          owner: (row) => row.owner,
          models: (row) => row.models ?? "all",
          "tokens/day": (row) => row.budgets?.tokens_per_day,
          "tokens/month": (row) => row.budgets?.tokens_per_month,
          expires: (row) => row.expires_at,
          revoked: (row) => row.revoked_at,
          "last used": (row) => row.last_used_at,
        },
        "no keys",
      ),
  },
  "key update": {
    options: [
      ...id,
      ...texts({
        name: "name of the key in the log, in metrics and in reports",
      }),
      ...settings,
    ],
    help: `
Limits and budgets can be unlimited, --models can be all, and --expires can be never.
`,
    async run(admin, values, { output }) {
      const key = values["id"] as string;
      const name = values["name"] as string | undefined;
      const requestBody = changes({ name, ...settingsOf(values) });
      await admin.chat.keys.patch({ id: key, requestBody });
      output.out(`updated ${key}\n`);
    },
  },
  "key revoke": {
    options: id,
    async run(admin, values, { output }) {
      const key = values["id"] as string;
      await admin.chat.keys.revoke({ id: key });
      output.out(`revoked ${key}\n`);
    },
  },
  usage: {
    options: [
      ...texts(
        {
          from: "first day in UTC, such as 2026-01-01",
          to: "last day in UTC",
          key: "id of a key",
          owner: "owner of keys",
          model: "name of a model",
        },
        [],
        { from: "day", to: "day", key: "id", owner: "name", model: "name" },
      ),
      {
        name: "format",
        kind: "choice",
        value: "form",
        choices: usageFormats,
        default: "text",
        description: "format of the report",
      },
    ],
    async run(admin, values, { output }) {
      const { format, ...selection } = values as Values & {
        readonly format: UsageFormat;
      };
      const rows: ChatUsage[] = [];
      for await (const row of admin.chat.usage.list({
        ...selection,
        pageSize: 1000,
      }))
        rows.push(row);
      output.out(formatUsage(rows, format));
    },
  },
} satisfies Readonly<Record<string, AdminSpec>>;
