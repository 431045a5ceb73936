// Makes the calls of the hostile records and writes the requests to a file:
//   oracle-hostile.mjs ORACLE DOCS CLIENTS OUT
// The records have values that would change the structure of the path, so there
// is no correct request to compare with; hostile.ts decides what is safe.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import * as driver from "./oracle-driver.mjs";

const [oracle, docs, clients, out] = process.argv.slice(2);
const { CaptureServer } = await import(
  pathToFileURL(path.join(oracle, "compare.mjs")).href
);
driver.init({ docs, argv: ["--clients", clients] });

const server = await new CaptureServer().start();
const attempts = [];
for (const name of readdirSync(path.join(oracle, "python")).sort()) {
  const file = path.join(oracle, "python", name);
  const [header, ...records] = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const hostile = records.filter(({ id }) => id.endsWith("#call-hostile"));
  if (hostile.length === 0) continue;
  await driver.open(header);
  for (const record of hostile) attempts.push(await attempt(header, record));
  driver.release(header);
}
await server.stop();
writeFileSync(out, JSON.stringify(attempts));

async function attempt({ doc }, record) {
  server.expect(record);
  let error;
  try {
    await driver.send({ ...record, doc }, server.baseUrl);
  } catch (thrown) {
    error = `${thrown.name}: ${thrown.message}`;
  }
  const { id, methodId, params } = record;
  const sent = server.calls.map(({ method, target }) => ({ method, target }));
  return { doc, id, methodId, params, sent, error };
}
