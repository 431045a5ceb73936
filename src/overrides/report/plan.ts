import { visible } from "../../diagnostics/invisible.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { commandLine, quoteArgument, shellLine } from "../upgrade/argument.js";
import type { UpgradePlan } from "../upgrade/plan.js";
import type { Action, Check, Step, StepCommand } from "../upgrade/step.js";
import { planScript } from "./script.js";

/** Output formats for an upgrade plan. */
export type PlanFormat = "text" | "json" | "markdown" | "shell";

/** Converts an upgrade plan to the given format. */
export function planReport(plan: UpgradePlan, form: PlanFormat): string {
  switch (form) {
    case "json":
      return planJson(plan);
    case "shell":
      return planScript(plan);
    case "markdown":
      return planMarkdown(plan);
    case "text":
      return planText(plan);
  }
}

/** Headings of the upgrade phases. */
const PHASES: Readonly<Record<Step["phase"], string>> = {
  preparation: "Preparation",
  mesh: "Service mesh and certificate manager",
  runtime: "Runtime",
  "clean-up": "Clean-up",
};

function planJson({ options, steps }: UpgradePlan): string {
  const { from, to, mode, platform, kubectl, dryRun } = options;
  return `${visibleJson({
    from,
    to,
    mode,
    ...(platform === undefined ? {} : { platform }),
    kubectl,
    dryRun,
    steps: steps.map((step) => ({
      ...step,
      commands: step.actions.flatMap(linesOf),
    })),
  })}\n`;
}

function title({ options }: UpgradePlan): string {
  const { from, to, mode, settings } = options;
  return `Upgrade of ${settings.org} from ${from} to ${to} (${mode})`;
}

function planText(plan: UpgradePlan): string {
  const lines = [title(plan)];
  let phase = "";
  for (const step of plan.steps) {
    if (step.phase !== phase) lines.push("", `${PHASES[step.phase]}`);
    phase = step.phase;
    lines.push(`${step.id.padEnd(4)} ${step.title}${stepSuffix(step)}`);
    for (const text of step.preconditions) lines.push(`     requires: ${text}`);
    for (const action of step.actions) lines.push(...actionText(action));
    for (const check of step.checks)
      lines.push(`     check: ${checkText(check)}`);
    lines.push(`     undo:  ${step.undo}`);
  }
  return `${lines.map(visible).join("\n")}\n`;
}

function stepSuffix({ isDestructive, isOptional }: Step): string {
  if (isDestructive) return " (requires confirmation)";
  return isOptional ? " (optional)" : "";
}

function actionText(action: Action): string[] {
  if (action.kind === "manual") return [`     by hand: ${action.text}`];
  if (action.kind === "command") return inFolder(action.command);
  return action.like.flatMap((line) =>
    typeof line === "string" ? [`     * ${line}`] : inFolder(line),
  );
}

function inFolder(command: StepCommand): string[] {
  const line = `     $ ${commandLine(command)}`;
  return command.folder === undefined
    ? [line]
    : [`     $ cd ${quoteArgument(command.folder)}`, line];
}

function checkText({ text, command }: Check): string {
  return `${text}: ${commandLine(command)}`;
}

function linesOf(action: Action): string[] {
  if (action.kind === "manual") return [];
  return action.kind === "builtin"
    ? action.like.map((line) =>
        typeof line === "string" ? line : commandLine(line),
      )
    : [commandLine(action.command)];
}

function planMarkdown(plan: UpgradePlan): string {
  const lines = [`# ${markdownText(title(plan))}`];
  let phase = "";
  for (const step of plan.steps) {
    if (step.phase !== phase) lines.push("", `## ${PHASES[step.phase]}`);
    phase = step.phase;
    lines.push("", ...stepMarkdown(step));
  }
  return `${lines
    .map(visible)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")}\n`;
}

function stepMarkdown(step: Step): string[] {
  const heading = `${step.id}: ${step.title}${stepSuffix(step)}`;
  return [
    `### ${markdownText(heading)}`,
    "",
    ...step.preconditions.map((text) => `- Requires: ${markdownText(text)}`),
    "",
    ...step.actions.flatMap(actionMarkdown),
    "",
    ...step.checks.map(
      ({ text, command }) =>
        `- Check: ${markdownText(text)}: ${markdownCode(shellLine(command))}`,
    ),
    `- Undo: ${markdownText(step.undo)}`,
  ];
}

/**
 * Formats the commands of an action as code blocks that can be run from any
 * folder, and manual actions as text.
 */
function actionMarkdown(action: Action): string[] {
  if (action.kind === "manual")
    return [`- [ ] By hand: ${markdownText(action.text)}`];
  const lines = action.kind === "builtin" ? action.like : [action.command];
  return lines.flatMap((line) =>
    typeof line === "string"
      ? [`- [ ] By hand: ${markdownText(line)}`]
      : ["", "```sh", shellLine(line), "```", ""],
  );
}

/** Escapes HTML and links in Markdown text, except within code spans. */
function markdownText(text: string): string {
  return text.replace(/</g, "&lt;").replace(/[[\]]/g, "\\$&");
}

/**
 * Formats text as a code span. The delimiter has one more backtick than the
 * longest sequence of backticks in the text.
 */
function markdownCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}
