import path from "node:path";
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/cli/command.js";
import { buildPlan } from "../../src/cli/commands/upgrade-options.js";
import { planReport } from "../../src/overrides/report/plan.js";
import { PlanError } from "../../src/overrides/upgrade/plan-options.js";
import type { PlanOptions } from "../../src/overrides/upgrade/plan-options.js";
import {
  planUpgrade,
  type UpgradePlan,
} from "../../src/overrides/upgrade/plan.js";
import type { StepCommand } from "../../src/overrides/upgrade/step.js";
import {
  commandLine,
  type Argument,
} from "../../src/overrides/upgrade/argument.js";
import { VALID_13 } from "../support/overrides.js";
import { temporaryFolder } from "../support/paths.js";
import { runScript, SCRIPT_OPTIONS } from "../support/shell-plan.js";
import { choices, forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const PIECES: readonly string[] = [
  "$(touch MARKER)",
  "`touch MARKER`",
  "'; touch MARKER; '",
  '"; touch MARKER; "',
  "$MART_ACCOUNT",
  "${MART_ACCOUNT}",
  "$(touch MARKER)$MART_ACCOUNT",
  "\\",
  "\\'",
  "'",
  '"',
  "\n",
  "\r",
  "\u0000",
  "\u001b[2J",
  "\u202e",
  " ",
  "*",
  "~",
  "!",
  "#",
  ";",
  "&",
  "|",
  "<",
  ">",
  "--flags-file=x",
  "--all",
  "-",
  "=",
  "A=b",
  "name",
  "é",
  "```",
  "\nEOF\n",
  "%s",
  "[a]",
];

function hostile(random: Choices): string {
  const count = 1 + random.int(4);
  return Array.from({ length: count }, () => random.pick(PIECES)).join("");
}

function hostileOptions(random: Choices): PlanOptions {
  const value = (usual: string) =>
    random.chance(0.4) ? hostile(random) : usual;
  const { settings } = SCRIPT_OPTIONS;
  return {
    ...SCRIPT_OPTIONS,
    mode: random.pick(["prod", "demo"] as const),
    overrides: value("o.yaml"),
    oldOverrides: value("o.yaml.bak"),
    ...(random.chance(0.3) ? { home: value("home") } : {}),
    settings: {
      ...settings,
      org: value(settings.org),
      project: value(settings.project),
      namespace: value(settings.namespace),
      environments: random.chance(0.2) ? [hostile(random)] : ["test"],
      groups: [value("group")],
      martAccount: value("mart@example.com"),
      ...(random.chance(0.5) ? { watcherPath: value("w.json") } : {}),
      ...(random.chance(0.2) ? { watcherSecret: value("secret") } : {}),
    },
  };
}

function planned(options: PlanOptions): UpgradePlan | undefined {
  try {
    return planUpgrade(options);
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect((error as Error).message).not.toMatch(/MARKER/);
    return undefined;
  }
}

function commandsOf({ steps }: UpgradePlan): StepCommand[] {
  return steps.flatMap(({ actions, checks }) => [
    ...actions.flatMap((action) =>
      action.kind === "command"
        ? [action.command]
        : action.kind === "builtin"
          ? action.like.filter((line) => typeof line !== "string")
          : [],
    ),
    ...checks.map(({ command }) => command),
  ]);
}

/** Splits a line as sh does; throws for anything that sh would expand. */
function parse(line: string): Argument[] {
  const words: Argument[] = [];
  let rest = line;
  while (rest !== "") {
    const text = /^(?:[\w@%+=:,./-]|'[^']*'|\\'|"\$[A-Z_]+")+/.exec(rest)?.[0];
    if (text === undefined) throw new Error(`sh would expand: ${rest}`);
    words.push(wordOf(text));
    rest = rest.slice(text.length).replace(/^ /, "");
  }
  return words;
}

function wordOf(text: string): Argument {
  const open = /^(.*?)"\$([A-Z_]+)"(.*)$/s.exec(text);
  if (open === null) return literal(text);
  const [, before = "", placeholder = "", after = ""] = open;
  return {
    before: literal(before),
    placeholder: placeholder as "MART_ACCOUNT",
    after: literal(after),
  };
}

function literal(text: string): string {
  return text.replace(
    /'([^']*)'|\\(')/g,
    (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? "",
  );
}

describe("values of a file in a plan", () => {
  test("every command line is parsed back to the same arguments", () =>
    forEachSeed((random) => {
      const plan = planned(hostileOptions(random));
      if (plan === undefined) return;
      for (const command of commandsOf(plan))
        expect(parse(commandLine(command))).toEqual(command.argv);
    }));

  test("no argument from a value begins with a hyphen", () => {
    const known = new Set(
      commandsOf(planUpgrade(SCRIPT_OPTIONS)).flatMap(({ argv }) =>
        argv.map(optionOf),
      ),
    );
    known.add("--env").add("--dry-run");
    return forEachSeed((random) => {
      const plan = planned({ ...hostileOptions(random), mode: "prod" });
      for (const { argv } of plan === undefined ? [] : commandsOf(plan))
        for (const word of argv)
          if (optionOf(word).startsWith("-"))
            expect(known).toContain(optionOf(word));
    });
  });

  test("no format of a plan has control characters from a value", () =>
    forEachSeed((random) => {
      const plan = planned(hostileOptions(random));
      if (plan === undefined) return;
      for (const form of ["text", "json", "markdown", "shell"] as const)
        expect(planReport(plan, form)).not.toMatch(
          // eslint-disable-next-line no-control-regex
          /[\u0000-\u0009\u000b-\u001f\u007f\u202e]/,
        );
    }));

  test("no shell executes part of a value", () => {
    return forEachSeed(
      (random, seed) => {
        const options = hostileOptions(random);
        if (planned(options) === undefined) return;
        const { folder } = runScript(options, {
          env: { MART_ACCOUNT: "$(touch MARKER)", APIGEECTL_OLD_HOME: "old" },
        });
        expect(existsSync(path.join(folder, "MARKER")), String(seed)).toBe(
          false,
        );
      },
      Math.ceil(RUNS / 10),
      10_000,
    );
  }, 1_800_000);
});

function optionOf(word: Argument): string {
  const text = typeof word === "string" ? word : word.before;
  return text.startsWith("-") ? text.split("=")[0]! : "";
}

/** Plans of the command, made from a file. */
describe("files", () => {
  const plan = (text: string): string => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "o.yaml"), text);
    const values = {
      overrides: "o.yaml",
      from: "1.2.0",
      to: "1.3.6",
      mode: "demo",
      kubectl: "1.18",
      tool: "apigeectl",
    } as const;
    return planReport(buildPlan(values, folder), "shell");
  };

  test.each([
    ["an option", "project-one", "--flags-file=x", /gcp.projectID must not/],
    ["a control character", "project-one", '"a\\u001bb"', /./],
    ["an environment --all", "name: test", "name: --all", /envs\[\].name/],
    ["an environment like a command", "name: test", 'name: "a;b"', /envs\[\]/],
    ["an unknown key", "region: us-east1", "regoin: x", /T01/],
    [
      "an invalid count",
      "org: example",
      "org: example\ncassandra:\n  replicaCount: many",
      /T02|T03/,
    ],
    [
      "an invalid namespace",
      "org: example",
      "org: example\nnamespace: Bad_Name",
      /namespace|T03/,
    ],
  ])("%s is rejected", (_, from, to, message) => {
    const text = VALID_13.replace(from, to);
    expect(() => plan(text)).toThrow(UsageError);
    expect(() => plan(text)).toThrow(message);
  });

  test("text with a substitution is one quoted argument", () => {
    const script = plan(
      VALID_13.replace("projectID: project-one", 'projectID: "$(touch X)"'),
    );
    expect(script).toContain("'--project=$(touch X)'");
    expect(script).not.toMatch(/\beval\b/);
  });
});

/** Self-test: the parser rejects expansions. */
test.each(["a $(b)", "a `b`", 'a "b"', "a;b", "a\nb", "a $MART_ACCOUNT"])(
  "%j is not a plain line",
  (line) => {
    expect(() => parse(line)).toThrow("sh would expand");
    expect(choices(1).int(1)).toBe(0);
  },
);
