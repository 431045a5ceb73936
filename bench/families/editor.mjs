// Compares the work of an editor: the language servers of TypeScript 6 and 7 with one
// open file that uses compute.v1 and drive.v3. Each round starts a server for each
// client, in alternation. Every response is checked: lists must contain a method of
// the resource, diagnostics the error of the keystroke. Floor: a file without a
// client. Usage: node bench/families/editor.mjs [rounds]
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startLsp } from "../editor/lsp.mjs";
import { programs, textOf } from "../editor/programs.mjs";
import { startTsserver } from "../editor/tsserver.mjs";
import { APIS, gen, generateClients, inFolder } from "../peers.mjs";
import { ratioOf, save, spreadOf } from "../results.mjs";
import { median, run } from "../support.mjs";

const rounds = Number(process.argv[2] ?? 3);

/** Keystrokes of each server after the first. */
const KEYSTROKES = 20;

const SERVERS = [
  ["TypeScript 6, tsserver", startTsserver],
  ["TypeScript 7, language server", startLsp],
];

/** Property that does not exist, and that it is similar to another. */
const ERRORS = [2339, 2551];

/** Writes a program and its project; returns the path of the program. */
function write(work, { name, types = [], moduleResolution }, text) {
  const folder = path.join(work, `program ${name}`.replace(/\W+/g, "-"));
  mkdirSync(folder);
  const file = path.join(folder, "program.ts");
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: moduleResolution === undefined ? "NodeNext" : "preserve",
    moduleResolution: moduleResolution ?? "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types,
  };
  const config = { compilerOptions, files: ["program.ts"] };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(file, text);
  return file;
}

/** Returns the position of an offset of a text. */
function positionOf(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

/** Returns milliseconds and result of a function. */
async function timed(use) {
  const start = performance.now();
  const result = await use();
  return [performance.now() - start, result];
}

function verify(isRight, what, found) {
  if (!isRight) throw new Error(`${what}: ${JSON.stringify(found)}`);
}

/** Returns functions that do what a user does in the file, with their times. */
function actionsOf(server, file, program, text) {
  const name = positionOf(text, text.search(/instance\??\.name/));
  const line = text.split("\n")[name.line];
  const last = { ...name, character: line.indexOf("name") + 3 };
  let letter = "e";
  const check = async (what) => {
    const codes = await server.diagnostics(file);
    const isRight =
      letter === "e"
        ? codes.length === 0
        : codes.length === 1 && ERRORS.includes(codes[0]);
    verify(isRight, `${program.name}, ${what}`, codes);
  };
  return {
    open: () =>
      timed(() => {
        server.open(file, text);
        return check("open");
      }),
    /** Changes the last letter of `name`, and back with the next keystroke. */
    keystroke: () =>
      timed(() => {
        letter = letter === "e" ? "x" : "e";
        server.change(file, last, 1, letter);
        return check("keystroke");
      }),
    /** Types after an expression and requests the list, then removes it. */
    async completion(api) {
      const { after, typed, rest = "", expected } = program[api];
      const end = text.lastIndexOf(`${after};`) + after.length;
      const start = positionOf(text, end);
      const cursor = { ...start, character: start.character + typed.length };
      const [time, names] = await timed(() => {
        server.change(file, start, 0, typed + rest);
        return server.completion(file, cursor, typed.at(-1));
      });
      server.change(file, start, typed.length + rest.length, "");
      verify(names.includes(expected), `${program.name}, ${api}`, names);
      return [time];
    },
    async hover() {
      const [time, found] = await timed(() => server.hover(file, last));
      const isRight = /\bname\b[^]*string/.test(found);
      verify(isRight, `${program.name}, quick info`, found);
      return [time];
    },
  };
}

/** Runs an action several times; returns the median of its times. */
async function warm(action) {
  const times = [];
  for (let count = 0; count < KEYSTROKES; count++)
    times.push((await action())[0]);
  return median(times);
}

/** Measures one server with one program. */
async function measure(start, program, file, text) {
  const server = await start(path.dirname(file));
  try {
    const actions = actionsOf(server, file, program, text);
    const [open] = await actions.open();
    const [first] = await actions.completion("compute");
    const compute = await warm(() => actions.completion("compute"));
    const drive = await warm(() => actions.completion("drive"));
    const keystroke = await warm(actions.keystroke);
    const [hover] = await actions.hover();
    const peak = server.peak();
    return { open, first, compute, drive, keystroke, hover, peak };
  } finally {
    server.close();
  }
}

/** Returns the index of the peer with the least median. */
function bestPeer(all, values) {
  const others = all.flatMap(({ kind }, index) =>
    kind === undefined ? [index] : [],
  );
  const medians = others.map((index) => median(values(index)));
  return others[medians.indexOf(Math.min(...medians))];
}

async function tableOf([title, start], all) {
  const results = all.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { program, file, text }] of all.entries())
      results[index].push(await measure(start, program, file, text));
  const kinds = all.map(({ program }) => program);
  const values = (index, key) => results[index].map((times) => times[key]);
  const ratio = (index, key) => {
    const best = bestPeer(kinds, (peer) => values(peer, key));
    return ratioOf(values(index, key), values(best, key));
  };
  return {
    title,
    label: "client",
    chart: "keystroke",
    columns: COLUMNS,
    rows: all.map(({ program: { name, kind } }, index) => ({
      name,
      kind,
      limit: kind === "ours" ? "1.7 × best" : undefined,
      values: {
        completionRatio: ratio(index, "compute"),
        keystrokeRatio: ratio(index, "keystroke"),
        ...Object.fromEntries(
          TIMES.map(({ key }) => [key, spreadOf(values(index, key))]),
        ),
        ...(results[index][0].peak !== undefined && {
          peak: { median: Math.max(...values(index, "peak")) },
        }),
      },
    })),
  };
}

const TIMES = [
  { key: "compute", title: "completion, compute ms", digits: 1 },
  { key: "drive", title: "completion, drive ms", digits: 1 },
  { key: "keystroke", title: "diagnostics after a keystroke, ms", digits: 1 },
  { key: "open", title: "first diagnostics ms", digits: 0 },
  { key: "first", title: "first completion ms", digits: 0 },
  { key: "hover", title: "quick info ms", digits: 1 },
];

const COLUMNS = [
  { key: "completionRatio", title: "completion ÷ best", digits: 2 },
  { key: "keystrokeRatio", title: "diagnostics ÷ best", digits: 2 },
  ...TIMES,
  { key: "peak", title: "peak MiB", digits: 0 },
];

await inFolder("editor", async (work) => {
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  generateClients(work);
  for (const api of Object.keys(APIS))
    run(gen(api, path.join(work, "ours-js"), "--emit", "js"));
  const all = programs().map((program) => {
    const text = textOf(program);
    return { program, text, file: write(work, program, text) };
  });
  const tables = [];
  for (const server of SERVERS) tables.push(await tableOf(server, all));
  await save({
    family: "editor",
    title: "Editor: one file with compute.v1 and drive.v3",
    tables,
  });
});
