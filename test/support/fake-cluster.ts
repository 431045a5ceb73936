import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { onTestFinished } from "vitest";
import { runResidentAsync } from "../cli/resident.js";
import { VALID_12, VALID_13 } from "./overrides.js";
import { atTerminal, type Exchange, type TerminalRun } from "./pty.js";
import { ROOT, temporaryFolder } from "./paths.js";

/**
 * Replaces apigeectl, kubectl, gcloud, curl and the scripts that create accounts and
 * remove the old database. The state of the cluster is stored in files of
 * $FAKE; each effect is a line in $FAKE/effects, each call one in $FAKE/calls.
 * A line in $FAKE/script makes calls that contain PART fail:
 *   fail PART      exit with 1, once
 *   hang PART      sleep, once
 *   stubborn PART  sleep, and ignore SIGTERM, once
 * $FAKE/kill has a mode and a number N. Every Nth distinct call kills the run (its
 * parent) once:
 *   before: then exit without an effect; orphan: then continue after a delay; after: after the effect
 */
const FAKE = `#!/bin/sh
call="\${0##*/} $*"
echo "$call" >> "$FAKE/calls"
effect() { echo "$call" >> "$FAKE/effects"; }
if [ -f "$FAKE/script" ]; then
  while read -r what part; do
    case "$call" in *"$part"*)
      [ -f "$FAKE/did-$what" ] && continue
      : > "$FAKE/did-$what"
      case $what in
        fail) echo "it fails"; echo "the reason is hunter2horse" >&2; exit 1 ;;
        hang) echo "it hangs"; sleep 60; exit 0 ;;
        stubborn) trap '' TERM; sleep 60; sleep 60; exit 0 ;;
      esac ;;
    esac
  done < "$FAKE/script"
fi
mode=none
if [ -f "$FAKE/kill" ] && ! grep -qxF "$call" "$FAKE/killed" 2>/dev/null; then
  read -r mode every < "$FAKE/kill"
  echo "$call" >> "$FAKE/killed"
  [ $(($(wc -l < "$FAKE/killed") % every)) -eq 0 ] || mode=none
  case $mode in
    before) kill -9 $PPID; exit 1 ;;
    orphan) kill -9 $PPID; sleep 0.2 ;;
  esac
fi
case "$call" in
  "kubectl config current-context"*) cat "$FAKE/context" 2>/dev/null ;;
  "apigeectl version"*) cat "$FAKE/tool-version" 2>/dev/null ;;
  "kubectl version"*) echo 'Client Version: v1.17.3' ;;
  "kubectl get deployment cert-manager"*) cat "$FAKE/cert-manager" 2>/dev/null ;;
  "kubectl get nodes"*) echo 'node-1 Ready' ;;
  *"get deployments,hpa"*)
    n=1; [ -f "$FAKE/raised" ] && n=2
    echo '{"items":[{"kind":"Deployment","metadata":{"name":"pilot"},"spec":{"replicas":'$n'}},{"kind":"Deployment","metadata":{"name":"ingress"},"spec":{"replicas":3}},{"kind":"HorizontalPodAutoscaler","metadata":{"name":"pilot"},"spec":{"minReplicas":'$n'}}]}' ;;
  *"scale deployment"*) effect ;;
  *"patch hpa"*) : > "$FAKE/raised"; effect ;;
  *"get pods --no-headers"*) echo 'ingress 1/1 Running' ;;
  *"app=istiod"*) printf 'example.com/pilot:1.6.0-a.1' ;;
  "kubectl wait"*) ;;
  "kubectl get crd"*) [ -f "$FAKE/no-crd" ] || echo crd ;;
  "kubectl delete crd"*) : > "$FAKE/no-crd"; effect ;;
  "kubectl get deployments,statefulsets"*)
    cat "$FAKE/new" 2>/dev/null
    [ -f "$FAKE/old-gone" ] || printf 'deployment.apps/apigee-mart-old\\ndaemonset.apps/apigee-logger-old\\n'
    [ -f "$FAKE/old-db-gone" ] || echo statefulset.apps/apigee-cassandra ;;
  *"get pod apigee-cassandra-0"*) printf 10.4.0.9 ;;
  *"nodetool status"*)
    echo 'Datacenter: dc-1'
    [ -f "$FAKE/old-db-gone" ] || echo 'UN  10.4.0.9  1 MB'
    if [ -f "$FAKE/joined" ]; then echo 'UN  10.4.0.20  1 MB'
    else : > "$FAKE/joined"; echo 'UJ  10.4.0.20  1 MB'; fi ;;
  "kubectl apply"*|"kubectl delete"*) effect ;;
  "curl "*) echo manifest > "$5"; effect ;;
  "gcloud services enable"*) effect ;;
  "gcloud services list"*) echo apigeeconnect.googleapis.com ;;
  "gcloud projects add-iam"*) echo "\${4#--member=}" >> "$FAKE/bound"; echo "hunter2horse is a password"; effect ;;
  "gcloud projects get-iam"*) cat "$FAKE/bound" ;;
  "gcloud auth"*) echo secret-token-1 ;;
  "create-service-account"*)
    if [ -s service-accounts/watcher.json ]; then echo "it already exists"; exit 1; fi
    mkdir -p service-accounts; echo '{}' > service-accounts/watcher.json; effect ;;
  *"apigeectl check-ready"*)
    n=0; [ -f "$FAKE/pending" ] && read -r n < "$FAKE/pending"
    echo $((n - 1)) > "$FAKE/pending"
    [ "$n" -le 0 ] || exit 1 ;;
  *"--dry-run"*) effect ;;
  "apigeectl init"*|"apigeectl apply"*)
    echo 1 > "$FAKE/pending"
    echo "deployment.apps/apigee-mart-example-5f3a-136" >> "$FAKE/new"; effect ;;
  "apigeectl delete -c"*)
    if [ -f "$FAKE/old-gone" ]; then echo "there is nothing to delete"; exit 1; fi
    : > "$FAKE/old-gone"; effect ;;
  "apigeectl delete"*) effect ;;
  "clean-up"*)
    if [ -f "$FAKE/old-db-gone" ]; then echo "it was taken down before"; exit 1; fi
    : > "$FAKE/old-db-gone"; effect ;;
esac
[ $mode = after ] && kill -9 $PPID
exit 0
`;

/** Overrides file of the new version for the fake cluster. */
export const OVERRIDES = `${VALID_13.replace("./accounts/watcher.json", "./service-accounts/watcher.json").replace("./accounts/mart.json", "./accounts/project-one-apigee-mart.json").replace("./accounts/mart.json", "./accounts/project-one-apigee-mart.json")}
cassandra:
  replicaCount: 1
  auth:
    default:
      password: hunter2horse
`;

/** Writes the files named in the overrides file, except the one that P7 creates. */
export function writeNamedFiles(folder: string): void {
  for (const name of [
    "certs/group.pem",
    "certs/group.key",
    "accounts/synchronizer.json",
    "accounts/udca.json",
    "accounts/project-one-apigee-mart.json",
    "accounts/metrics.json",
  ]) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), "{}");
  }
}

/** Result of the command. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** Folder with fake programs, and a control plane. */
export interface Cluster {
  readonly folder: string;
  /** Runs `gen upgrade …` in the folder. */
  readonly upgrade: (...args: string[]) => Promise<Ended>;
  readonly run: (...args: string[]) => Promise<Ended>;
  /** Runs the upgrade in a pseudo-terminal. */
  readonly atTerminal: (
    exchanges: readonly Exchange[],
    ...args: string[]
  ) => Promise<TerminalRun>;
  /** Runs the upgrade and kills it after a number of milliseconds. */
  readonly runFor: (time: number, ...args: string[]) => Promise<Ended>;
  /** Runs the upgrade and interrupts it when a command hangs, like Ctrl-C. */
  readonly interrupt: (...args: string[]) => Promise<Ended>;
  readonly effects: () => string[];
  readonly calls: () => string[];
  readonly script: (...lines: string[]) => void;
  /** Makes every distinct command, or every Nth, kill the run. */
  readonly killEach: (
    mode: "before" | "orphan" | "after",
    every?: number,
  ) => void;
  readonly overrides: () => string;
  readonly state: () => string;
  /** Properties of the organization in the control plane. */
  readonly properties: () => unknown;
}

/** Sets up a cluster with the old version. */
export async function fakeCluster(): Promise<Cluster> {
  const folder = temporaryFolder();
  const fake = path.join(folder, "fake");
  for (const name of ["bin", "tools", "old", "fake"])
    mkdirSync(path.join(folder, name));
  for (const name of [
    "bin/apigeectl",
    "bin/kubectl",
    "bin/gcloud",
    "old/apigeectl",
    "tools/create-service-account",
    "bin/clean-up",
    "bin/curl",
  ]) {
    writeFileSync(path.join(folder, name), FAKE);
    chmodSync(path.join(folder, name), 0o755);
  }
  writeFileSync(path.join(folder, "o.yaml"), OVERRIDES);
  writeFileSync(path.join(folder, "o.yaml.bak"), VALID_12);
  writeNamedFiles(folder);
  const plane = await controlPlane();
  const env = {
    PATH: `${path.join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: folder,
    FAKE: fake,
  };
  let isKilled = false;
  const upgrade = async (...args: string[]): Promise<Ended> => {
    const command = { args: ["upgrade", ...args], cwd: folder, env };
    // A process that the fake programs kill can't run the next command.
    if (isKilled) return start(command.args, folder, env);
    const { status, stdout, stderr } = await runResidentAsync(command);
    return { status, signal: null, output: stdout + stderr };
  };
  const lines = (name: string): string[] => {
    const file = path.join(fake, name);
    return existsSync(file)
      ? readFileSync(file, "utf8").trimEnd().split("\n")
      : [];
  };
  return {
    folder,
    upgrade,
    atTerminal: (exchanges, ...args) =>
      atTerminal(
        [
          process.execPath,
          path.join(ROOT, "bin/gen.js"),
          "upgrade",
          ...runArgs(plane.url),
          ...args,
        ],
        { cwd: folder, env, exchanges },
      ),
    run: (...args) => upgrade(...runArgs(plane.url), ...args),
    runFor: (time, ...args) =>
      start(["upgrade", ...runArgs(plane.url), ...args], folder, env, time),
    interrupt: (...args) =>
      start(["upgrade", ...runArgs(plane.url), ...args], folder, env, () =>
        existsSync(path.join(fake, "did-hang")),
      ),
    effects: () => lines("effects"),
    calls: () => lines("calls"),
    script: (...own) =>
      writeFileSync(path.join(fake, "script"), `${own.join("\n")}\n`),
    killEach(mode, every = 1) {
      isKilled = true;
      writeFileSync(path.join(fake, "kill"), `${mode} ${every}\n`);
    },
    overrides: () => readFileSync(path.join(folder, "o.yaml"), "utf8"),
    state: () => readFileSync(path.join(folder, "o.yaml.upgrade.json"), "utf8"),
    properties: plane.properties,
  };
}

function runArgs(api: string): string[] {
  const times = ["--interval", "0.01", "--deadline", "20"];
  return ["run", ...PLAN, "--api", api, ...times];
}

/** Arguments of plan, run and status. */
export const PLAN: readonly string[] = [
  "--overrides",
  "o.yaml",
  "--from",
  "1.2.0",
  "--mode",
  "demo",
  "--old-home",
  "old",
  "--clean-up-script",
  "bin/clean-up",
];

async function controlPlane(): Promise<{
  url: string;
  properties: () => unknown;
}> {
  let organization: unknown = {
    name: "example",
    properties: { property: [{ name: "kept", value: "yes" }] },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const isAllowed =
        request.headers.authorization === "Bearer secret-token-1" &&
        request.url === "/v1/organizations/example";
      if (isAllowed && request.method === "PUT")
        organization = JSON.parse(body);
      response.writeHead(isAllowed ? 200 : 403);
      response.end(JSON.stringify(organization));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    properties: () => (organization as { properties: unknown }).properties,
  };
}

function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  stop?: number | (() => boolean),
): Promise<Ended> {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "bin/gen.js"), ...args],
    { cwd, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const timer: NodeJS.Timeout | undefined =
    typeof stop === "number"
      ? setTimeout(() => child.kill("SIGKILL"), stop)
      : stop === undefined
        ? undefined
        : setInterval(() => {
            if (!stop()) return;
            clearInterval(timer);
            child.kill("SIGINT");
          }, 10);
  return new Promise((resolve) => {
    child.on("exit", (status, signal) => {
      clearTimeout(timer);
      clearInterval(timer);
      // An orphaned process may keep the pipes open.
      setTimeout(() => resolve({ status, signal, output }), 20);
    });
  });
}
