import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { knowledge } from "../schema/load.js";
import { compareVersions } from "../schema/versions.js";
import { checkFile, checkOptions, type Checked } from "../validate.js";
import { certManagerImage } from "./cert-manager.js";
import { kubectl, namesOfWorkloads } from "./commands.js";
import type { Ended } from "./execute.js";
import { factsOf } from "./facts.js";
import type { PlanOptions } from "./options.js";
import { setProperties } from "./properties.js";
import { oldAddress } from "./runtime.js";
import { dropSeed, hasSeed, setSeed } from "./seed.js";
import type { Builtin, Command } from "./step.js";

/** What the tool's own actions work with. */
export interface BuiltinContext {
  readonly options: PlanOptions;
  readonly cwd: string;
  /** Base URL of the control plane. */
  readonly api: string;
  /** Runs a command quietly. */
  readonly ask: (command: Command) => Promise<Ended>;
  /** Runs a command that changes something, and shows it. */
  readonly act: (command: Command) => Promise<Ended>;
  readonly say: (line: string) => void;
  /** Hides a value from now on. */
  readonly hide: (secret: string) => void;
  readonly old: () => readonly string[] | undefined;
  readonly noteOld: (names: readonly string[]) => void;
}

/** All of them may be done twice. They throw with a reason. */
export const builtins: Readonly<
  Record<Builtin, (context: BuiltinContext) => Promise<void> | void>
> = {
  validate: (context) => validate(context),
  finish: (context) => validate(context, "final"),
  "org-properties": organizationProperties,
  "raise-replicas": raiseReplicas,
  "see-cert-manager": seeCertManager,
  "see-old": seeOld,
  "note-old": noteOld,
  "set-seed": seed,
  "see-seed": seeSeed,
  "drop-seed": ({ options, cwd }) => dropSeed(options.overrides, cwd),
};

/** P9 also looks for the files that the settings name. */
function validate(
  { options, cwd, say }: BuiltinContext,
  phase?: "final",
): void {
  const { overrides, mode, home } = options;
  const bytes = readFileSync(path.resolve(cwd, overrides));
  const target = knowledge().table.defaultTarget;
  const folder = path.resolve(cwd, home ?? ".");
  const checked = checkFile(
    overrides,
    bytes,
    checkOptions(target, {
      mode,
      ...(phase === undefined
        ? { fileExists: (name) => existsSync(path.resolve(folder, name)) }
        : { phase }),
    }),
  );
  const wrong = checked.diagnostics.filter(
    ({ severity, code }) => severity === "error" || code === "S09",
  );
  for (const { line, column, code, message } of wrong)
    say(`${overrides}:${line}:${column}: ${code}: ${message}`);
  if (wrong.length > 0)
    throw new Error(
      `${overrides} has ${wrong.length} error${wrong.length === 1 ? "" : "s"}`,
    );
  if (phase === "final" && hasSeed(path.resolve(cwd, overrides)))
    throw new Error("cassandra.externalSeedHost is still in the file");
}

async function organizationProperties(context: BuiltinContext): Promise<void> {
  const { options, api, ask, hide, say } = context;
  const { code, stdout } = await ask({
    argv: ["gcloud", "auth", "print-access-token"],
  });
  const token = stdout.trim();
  if (code !== 0 || token === "")
    throw new Error("gcloud gives no access token");
  hide(token);
  say(`an access token of gcloud goes to ${new URL(api).host}`);
  const { features } = knowledge().table.upgrade;
  await setProperties(api, options.facts.org, features, token);
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly minReplicas?: number };
}

async function raiseReplicas({ ask, act, say }: BuiltinContext): Promise<void> {
  const { names, minReplicas } = knowledge().table.upgrade;
  const space = ["-n", names.meshNamespace];
  const answer = await ask(
    kubectl(...space, "get", "deployments,hpa", "-o", "json"),
  );
  if (answer.code !== 0)
    throw new Error(`the mesh can't be looked at (exit code ${answer.code})`);
  for (const { kind, metadata, spec } of itemsIn(answer.stdout)) {
    const isScaler = kind === "HorizontalPodAutoscaler";
    const count = (isScaler ? spec?.minReplicas : spec?.replicas) ?? 1;
    if (count >= minReplicas) continue;
    say(`${metadata.name} has ${count}`);
    const patch = JSON.stringify({ spec: { minReplicas } });
    const { code } = await act(
      isScaler
        ? kubectl(
            ...space,
            "patch",
            "hpa",
            metadata.name,
            "--type",
            "merge",
            "-p",
            patch,
          )
        : kubectl(
            ...space,
            "scale",
            "deployment",
            metadata.name,
            `--replicas=${minReplicas}`,
          ),
    );
    if (code !== 0) throw new Error(`${metadata.name} can't be raised`);
  }
}

function itemsIn(text: string): readonly Item[] {
  try {
    return (JSON.parse(text) as { items?: readonly Item[] }).items ?? [];
  } catch {
    throw new Error("the output of kubectl must be JSON");
  }
}

/** The database is not among them: D4 takes it down. */
async function noteOld({
  options,
  ask,
  noteOld: note,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await ask(namesOfWorkloads(options.facts.namespace));
  if (code !== 0) throw new Error("the old resources can't be listed");
  const { oldComponents } = knowledge().table.upgrade;
  const names = stdout
    .split(/\s+/)
    .filter((name) =>
      oldComponents.some((component) => name.includes(component)),
    );
  if (names.length === 0)
    throw new Error(
      `the namespace ${options.facts.namespace} has no resources of the old runtime`,
    );
  note(names);
}

/** Without it the new database begins a ring of its own, without data. */
function seeSeed({ options, cwd }: BuiltinContext): void {
  if (!hasSeed(path.resolve(cwd, options.overrides)))
    throw new Error("cassandra.externalSeedHost is not in the file; run C1");
}

async function seed({ options, cwd, ask, say }: BuiltinContext): Promise<void> {
  const { code, stdout } = await ask(oldAddress(options.facts.namespace));
  if (code !== 0) throw new Error("the old database can't be looked at");
  const address = stdout.trim();
  setSeed(options.overrides, cwd, address);
  say(`cassandra.externalSeedHost: ${address}`);
}

/** B3 must not replace a version by an earlier one. */
async function seeCertManager({ ask }: BuiltinContext): Promise<void> {
  const { code, stdout } = await ask(certManagerImage());
  if (code !== 0) throw new Error("the certificate manager can't be looked at");
  const image = stdout.trim();
  if (image === "") return;
  const { certManager } = knowledge().table.upgrade;
  const version = /:v?(\d+\.\d+(?:\.\d+)?)/.exec(image)?.[1];
  if (version === undefined)
    throw new Error(
      `the version of the image ${image} is not known; compare it with ${certManager}, then give --done B3 or install ${certManager} by hand`,
    );
  if (compareVersions(version, certManager) > 0)
    throw new Error(
      `certificate manager ${version} is installed, which is later than ${certManager}; keep it, and give --done B3`,
    );
}

/** The old tool deletes what the old file describes, so it must be the file of the old runtime. */
function seeOld({ options, cwd, old }: BuiltinContext): void {
  if (old() === undefined)
    throw new Error(
      "the resources of the old runtime were never recorded (step C0)",
    );
  const { oldOverrides, facts } = options;
  const file = path.resolve(cwd, oldOverrides);
  let checked: Checked;
  try {
    checked = checkFile(file, readFileSync(file), checkOptions("1.2"));
  } catch (error) {
    throw new Error(`--old-overrides: ${(error as Error).message}`);
  }
  const { root, detected } = checked;
  if (root === undefined || detected.version !== "1.2")
    throw new Error(
      `${oldOverrides} must be an overrides file for 1.2; it looks like ${detected.version}: ${detected.why}`,
    );
  const { org } = factsOf(root, cwd);
  if (org !== facts.org)
    throw new Error(`${oldOverrides} must be of the organization ${facts.org}`);
}
