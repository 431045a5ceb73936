import path from "node:path";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { planReport } from "../../src/overrides/report/plan.js";
import type { PlanOptions } from "../../src/overrides/upgrade/plan-options.js";
import { planUpgrade } from "../../src/overrides/upgrade/plan.js";
import { temporaryFolder } from "./paths.js";

/**
 * Shell functions that replace programs without starting processes. The call in
 * $FAIL fails; a file in $ANSWERS replaces the output of a call.
 */
const FAKES = `
call() {
  echo "$*" >> calls
  if [ "$*" = "$FAIL" ]; then return 1; fi
  case "$*" in
    "curl "*) echo manifest > "$6" ;;
    "create-service-account "*) mkdir -p service-accounts; echo '{}' > service-accounts/watcher.json ;;
    "old-apigeectl delete -c"*) : > old-gone ;;
    clean-up*) : > old-db-gone ;;
  esac
  if [ -f "$ANSWERS/$1 $2 $3" ]; then cat "$ANSWERS/$1 $2 $3"; return 0; fi
  case "$*" in
    "gcloud services list"*) echo apigeeconnect.googleapis.com ;;
    "gcloud projects get-iam-policy"*)
      echo "serviceAccount:apigee-mart@project-one.iam.gserviceaccount.com"
      echo "serviceAccount:apigee-watcher@project-one.iam.gserviceaccount.com" ;;
    "kubectl get nodes"*) echo 'node-1 Ready' ;;
    *"get pods --no-headers"*) echo 'ingress 1/1 Running' ;;
    *"app=istiod"*) echo 'example.com/pilot:1.5.7' ;;
    "kubectl get deployments,statefulsets"*)
      [ -f old-gone ] || echo deployment.apps/apigee-mart-old
      echo statefulset.apps/apigee-cassandra ;;
    *"nodetool status"*)
      echo 'Datacenter: dc-1'
      [ -f old-db-gone ] || echo 'UN  10.4.0.9  1 MB'
      echo 'UN  10.4.0.20  1 MB' ;;
  esac
  return 0
}
kubectl() { call kubectl "$@"; }
gcloud() { call gcloud "$@"; }
apigeectl() { call apigeectl "$@"; }
curl() { call curl "$@"; }
sleep() { :; }
`;

/** Plan whose script runs completely with the fake programs. */
export const SCRIPT_OPTIONS: PlanOptions = {
  overrides: "o.yaml",
  oldOverrides: "o.yaml.bak",
  from: "1.2.0",
  to: "1.3.6",
  mode: "prod",
  dryRun: "client",
  kubectl: "1.18.0",
  tool: "apigeectl",
  oldHome: "old",
  cleanUp: "./clean-up",
  allEnvs: false,
  settings: {
    org: "example",
    project: "project-one",
    namespace: "apigee",
    environments: ["test"],
    groups: ["group"],
    replicas: 1,
    hasSeed: false,
    martAccount: "apigee-mart@project-one.iam.gserviceaccount.com",
    watcherPath: "./service-accounts/watcher.json",
    secrets: [],
  },
};

/** Result of running a plan's script. */
export interface ScriptRun {
  readonly status: number | null;
  readonly output: string;
  /** Program calls in order. */
  readonly calls: readonly string[];
  /** Working directory of the script. */
  readonly folder: string;
}

/** Runs the script of a plan with fake programs. */
export function runScript(
  options: PlanOptions,
  {
    fail = "",
    answers = {},
    input = "y\n".repeat(60),
    env = {},
  }: {
    /** Program call that fails. */
    readonly fail?: string;
    /** Output by the first three words of a call. */
    readonly answers?: Readonly<Record<string, string>>;
    /** Standard input. */
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): ScriptRun {
  const folder = temporaryFolder();
  for (const name of ["old", "tools", "answers"])
    mkdirSync(path.join(folder, name));
  for (const [name, text] of Object.entries(answers))
    writeFileSync(path.join(folder, "answers", name), text);
  writeFileSync(path.join(folder, "fakes"), FAKES);
  for (const [name, call] of [
    ["old/apigeectl", "old-apigeectl"],
    ["tools/create-service-account", "create-service-account"],
    ["clean-up", "clean-up"],
  ] as const) {
    const file = path.join(folder, name);
    const text = `#!/bin/sh\ncd "$ROOT" && . ./fakes && call ${call} "$@"\n`;
    writeFileSync(file, text);
    chmodSync(file, 0o755);
  }
  const script = planReport(planUpgrade(options), "shell");
  writeFileSync(path.join(folder, "plan.sh"), script);
  const { status, stdout, stderr } = spawnSync(
    "sh",
    ["-c", ". ./fakes && . ./plan.sh"],
    {
      cwd: folder,
      input,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"] ?? "",
        ROOT: folder,
        ANSWERS: path.join(folder, "answers"),
        FAIL: fail,
        UPGRADE_TRIES: "2",
        ...env,
      },
    },
  );
  const file = path.join(folder, "calls");
  const calls = existsSync(file)
    ? readFileSync(file, "utf8").trimEnd().split("\n")
    : [];
  return { status, output: stdout + stderr, calls, folder };
}
