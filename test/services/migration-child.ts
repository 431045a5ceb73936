import path from "node:path";
import { levelStore } from "../../src/services/store/level.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import { serve } from "./migration-support.js";

/*
 * The service in a process of its own, to be killed or stopped. It prints its origin, then
 * its log. Arguments: the root of the repositories, the data folder, how often an export is
 * started, the URL of a database, the seconds without a sign of life.
 */
const [root, data, attempts, url, lease = "5"] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
  string?,
];
const store =
  url === undefined
    ? await levelStore(path.join(data, "store"))
    : await postgresStore(url);
const more = {
  attempts: Number(attempts),
  ...(url === undefined ? {} : { leaseSeconds: Number(lease) }),
};
const host = await serve(root, path.join(data, "files"), more, store);
process.once("SIGTERM", () => {
  void host.close().then(() => store.close());
});
process.stdout.write(`${host.origin}\n`);
setInterval(() => {
  for (const line of host.lines.splice(0))
    process.stdout.write(`${JSON.stringify(line)}\n`);
}, 20).unref();
