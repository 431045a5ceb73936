import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gen, type Finished as CommandResult } from "../cli/support.js";
import {
  APIS,
  CORPUS,
  PROGRAMS,
  ProgramFolders,
  type Finished,
} from "./support/migration-programs.js";
import { RecordingServer } from "./support/recording-server.js";

/**
 * `gen migrate googleapis`: each program runs with googleapis or gapi, is migrated,
 * and runs with generated clients. A server records the requests of both.
 */
const hasCorpus = APIS.every((api) =>
  existsSync(path.join(CORPUS, `${api}.json`)),
);
if (!hasCorpus) console.log(`skipped: the documents of ${CORPUS} are missing`);

/** Result of the migration of a program. */
interface Outcome {
  readonly original: Finished;
  readonly migrated: Finished;
  /** Number of changed ranges. */
  readonly edits: number;
  /** Undecided positions. */
  readonly todos: readonly string[];
  /** Errors of the compiler. */
  readonly errors: string;
}

interface Report {
  readonly files: readonly {
    readonly file: string;
    readonly edits: number;
    readonly todo: readonly {
      readonly line: number;
      readonly message: string;
    }[];
  }[];
}

const outcomes = new Map<string, Outcome>();
let folders: ProgramFolders | undefined;
let dryRun: CommandResult | undefined;
let secondRun: CommandResult | undefined;

/** Runs functions, several at a time. */
async function runAll(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const rest = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = rest.shift(); job !== undefined; job = rest.shift())
      await job();
  };
  await Promise.all([work(), work(), work()]);
}

async function runIn(
  folder: string,
  server: RecordingServer,
  url: string,
): Promise<ReadonlyMap<string, Finished>> {
  const finished = new Map<string, Finished>();
  await runAll(
    PROGRAMS.map((program) => async () => {
      const output = await folders!.run(folder, program, url);
      finished.set(program, { output, requests: server.take(program) });
    }),
  );
  return finished;
}

beforeAll(async () => {
  if (!hasCorpus) return;
  folders = new ProgramFolders();
  const { migrated: cwd, original } = folders;
  const generated = gen([], { cwd });
  expect(generated.stderr).toBe("");
  const server = new RecordingServer();
  const url = await server.listen();
  const before = await runIn(original, server, url);
  const args = ["migrate", "googleapis", "src/*.{js,ts,mjs,cjs}"];
  dryRun = gen(args, { cwd });
  gen([...args, "--write", "--report", "report.json"], { cwd });
  secondRun = gen(args, { cwd });
  const report = JSON.parse(
    readFileSync(path.join(cwd, "report.json"), "utf8"),
  ) as Report;
  const after = await runIn(cwd, server, url);
  const errors = await folders.compile(cwd);
  server.close();
  for (const program of PROGRAMS) {
    const file = report.files.find((one) => one.file === `src/${program}`);
    outcomes.set(program, {
      original: before.get(program)!,
      migrated: after.get(program)!,
      edits: file?.edits ?? 0,
      // One run migrates all programs, although each is a project of its own.
      todos: (file?.todo ?? [])
        .filter(({ message }) => !message.startsWith("clients of other files"))
        .map(({ line, message }) => `${line}: ${message}`),
      errors: errors.get(program) ?? "",
    });
  }
}, 600_000);

afterAll(() => {
  if (process.env["KEEP_FOLDERS"] === undefined) folders?.remove();
  else console.log(folders?.folder);
});

/** Uploads of streams are resumable with generated clients: same metadata and content. */
const withoutKind = ({ output, requests }: Finished): Finished => ({
  output,
  requests: requests.map((one) =>
    one.replace(/uploadType=(?:resumable|multipart|media)/, "uploadType=any"),
  ),
});

function stateOf({ original, migrated, edits }: Outcome): string {
  const isSame = (form: (one: Finished) => Finished): boolean =>
    JSON.stringify(form(original)) === JSON.stringify(form(migrated));
  if (edits === 0) return "unchanged";
  if (isSame((one) => one)) return "equal";
  return isSame(withoutKind) ? "equal, but resumable" : "differs";
}

describe.runIf(hasCorpus)("programs", () => {
  test("summary", () => {
    const list = [...outcomes];
    const rows = list.map(([program, one]) => {
      const compiles = one.errors === "" ? "compiles" : "does not compile";
      const marks =
        one.todos.length === 0 ? "" : `, ${one.todos.length} marked`;
      return `${program}: ${stateOf(one)}, ${compiles}${marks}`;
    });
    const share = (test: (one: Outcome) => boolean): number =>
      list.filter(([, one]) => test(one)).length / list.length;
    const withoutEdits = share(
      (one) => stateOf(one) === "equal" && one.todos.length === 0,
    );
    const compiled = share(({ errors }) => errors === "");
    console.log(
      `${rows.join("\n")}\n${list.length} programs: ${(withoutEdits * 100).toFixed(0)} % send equal requests without edits, ${(compiled * 100).toFixed(0)} % compile`,
    );
    expect(list.length).toBeGreaterThanOrEqual(60);
    expect(withoutEdits).toBeGreaterThanOrEqual(0.8);
    expect(compiled).toBeGreaterThanOrEqual(0.95);
  });

  test("a dry run prints a diff, and a second run has nothing to do", () => {
    expect(dryRun?.status).toBe(1);
    expect(dryRun?.stdout).toContain("+const drive = createDrive(");
    expect(secondRun?.stdout).toBe("");
  });

  test.each(PROGRAMS)("%s is equal or marked", (program) => {
    const { original, migrated, edits, todos, errors } = outcomes.get(program)!;
    expect(original.output).not.toBe("");
    expect(edits).toBeGreaterThan(0);
    if (todos.length > 0) return;
    expect(withoutKind(migrated)).toEqual(withoutKind(original));
    expect(errors).toBe("");
  });
});
