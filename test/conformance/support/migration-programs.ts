import { spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { ts } from "ts-morph";
import { compilerCommand } from "../../support/compiler.js";
import { ROOT } from "../../support/paths.js";

const SOURCES = path.join(ROOT, "test/conformance/googleapis");
export const CORPUS = path.join(ROOT, "../shared/corpus");
/** Documents of the APIs that the programs call. */
export const APIS = [
  "bigquery.v2",
  "blogger.v3",
  "books.v1",
  "calendar.v3",
  "cloudresourcemanager.v1",
  "compute.v1",
  "customsearch.v1",
  "dns.v1",
  "drive.v2",
  "drive.v3",
  "fcm.v1",
  "firestore.v1",
  "forms.v1",
  "gmail.v1",
  "logging.v2",
  "people.v1",
  "pubsub.v1",
  "searchconsole.v1",
  "sheets.v4",
  "storage.v1",
  "tasks.v1",
  "translate.v2",
  "youtube.v3",
];

/** File names of the programs. */
export const PROGRAMS = readdirSync(path.join(SOURCES, "programs")).sort();

/** Output of a program, with the requests that it sent. */
export interface Finished {
  readonly output: string;
  readonly requests: readonly string[];
}

/** Folders with the programs: `original`, and `migrated`. */
export class ProgramFolders {
  readonly folder = mkdtempSync(path.join(tmpdir(), "gen-migrate-"));
  readonly migrated = path.join(this.folder, "migrated");
  readonly original = path.join(this.folder, "original");

  constructor() {
    for (const folder of [this.original, this.migrated]) this.#create(folder);
    this.#linkPackages();
    this.#configure();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #create(folder: string): void {
    mkdirSync(path.join(folder, "src"), { recursive: true });
    writeFileSync(path.join(folder, "package.json"), `{"type":"module"}`);
    writeFileSync(path.join(folder, "key.json"), JSON.stringify(serviceKey));
    writeFileSync(
      path.join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "ES2022",
          lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
          module: "NodeNext",
          types: ["node"],
          strict: true,
          allowJs: true,
          checkJs: false,
          experimentalDecorators: true,
          skipLibCheck: true,
          noEmit: true,
        },
        include: ["src"],
      }),
    );
    for (const program of PROGRAMS)
      copyFileSync(
        path.join(SOURCES, "programs", program),
        path.join(folder, "src", program),
      );
  }

  /** The packages of the checkout; those of one API are parts of googleapis. */
  #linkPackages(): void {
    const modules = path.join(ROOT, "node_modules");
    symlinkSync(modules, path.join(this.folder, "node_modules"));
    const own = path.join(this.original, "node_modules");
    mkdirSync(path.join(own, "@googleapis"), { recursive: true });
    for (const name of ["gaxios", "google-auth-library"])
      symlinkSync(
        path.join(modules, "googleapis-common/node_modules", name),
        path.join(own, name),
      );
    for (const name of ["drive", "sheets"]) {
      const folder = path.join(own, "@googleapis", name);
      mkdirSync(folder);
      const target = JSON.stringify(`googleapis/build/src/apis/${name}`);
      writeFileSync(
        path.join(folder, "index.js"),
        `const api = require(${target});
exports.auth = api.auth; exports.${name} = api.${name};
${name === "drive" ? "exports.drive_v3 = api.drive_v3" : "exports.sheets_v4 = api.sheets_v4"};`,
      );
      writeFileSync(path.join(folder, "package.json"), `{"main":"index.js"}`);
      writeFileSync(
        path.join(folder, "index.d.ts"),
        `export * from ${target};`,
      );
    }
  }

  #configure(): void {
    mkdirSync(path.join(this.migrated, "specs"));
    writeFileSync(
      path.join(this.migrated, "gen.config.json"),
      JSON.stringify({
        out: "src/generated",
        emit: "js",
        auth: true,
        apis: Object.fromEntries(
          APIS.map((api) => [
            api.replace(".", ":"),
            { source: `./specs/${api}.json` },
          ]),
        ),
      }),
    );
    for (const api of APIS)
      copyFileSync(
        path.join(CORPUS, `${api}.json`),
        path.join(this.migrated, `specs/${api}.json`),
      );
  }

  /** Runs a program; returns its output. */
  async run(folder: string, program: string, recorder: string) {
    const name = program.replace(/\.ts$/, ".run.js");
    if (name !== program) {
      const source = readFileSync(path.join(folder, "src", program), "utf8");
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
          experimentalDecorators: true,
        },
      });
      writeFileSync(path.join(folder, "src", name), outputText);
    }
    const own = path.join(folder, `run-${program}`);
    mkdirSync(own, { recursive: true });
    copyFileSync(path.join(folder, "key.json"), path.join(own, "key.json"));
    const before = ["redirect.mjs"];
    if (program.startsWith("gapi-")) before.push("gapi.mjs");
    const imports = before.flatMap((file) => [
      "--import",
      path.join(SOURCES, file),
    ]);
    const { output } = await execute(
      process.execPath,
      ["--no-warnings", ...imports, `src/${name}`],
      folder,
      {
        PATH: process.env["PATH"],
        HOME: own,
        RECORDER: `${recorder}/${program}`,
        API_KEY: "AIzaKey",
        PRIVATE_KEY: serviceKey.private_key,
        GOOGLE_APPLICATION_CREDENTIALS: path.join(own, "key.json"),
        SPECS: path.join(this.migrated, "specs"),
        FOLDER: own,
      },
    );
    if (name !== program) rmSync(path.join(folder, "src", name));
    // Cursor movements depend on the number of progress events.
    const text = output.replace(/\u001B\[[\d;]*[A-Z]/gi, "");
    return text.replaceAll(folder, "");
  }

  /** Compiles all programs of a folder; returns the errors, keyed by program. */
  async compile(folder: string): Promise<ReadonlyMap<string, string>> {
    const config = path.join(folder, "tsconfig.json");
    const { program, args, env } = compilerCommand("typescript", config);
    const { output } = await execute(program, args, folder, env);
    const errors = new Map<string, string>();
    for (const line of output.split("\n")) {
      const program = /^src\/([\w.-]+)\(/.exec(line)?.[1];
      if (program !== undefined)
        errors.set(program, `${errors.get(program) ?? ""}${line}\n`);
      else if (/^error|^\w.*: error/.test(line)) throw new Error(line);
    }
    return errors;
  }
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const serviceKey = {
  type: "service_account",
  project_id: "p",
  private_key_id: "1",
  private_key: privateKey,
  client_email: "robot@p.iam.gserviceaccount.com",
  client_id: "1",
  token_uri: "https://oauth2.googleapis.com/token",
};

function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("error", reject);
    child.on("close", () => resolve({ output }));
  });
}
