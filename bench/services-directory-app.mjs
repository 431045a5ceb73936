// Runs the directory in a separate process, for bench/services-directory.mjs.
// Usage: node <bundle of this file> <folder>
import { start } from "../src/services/directory/index.ts";
import { listen } from "../src/services/host.ts";

const service = await start({
  now: Date.now,
  log: (line) => process.env.LOG && console.error(JSON.stringify(line)),
  folder: undefined,
  config: process.argv[2] === undefined ? {} : { folder: process.argv[2] },
});
const host = await listen([service]);
const port = Number(process.env.PORT ?? 0);
if (port) await listen([service], { port });
console.log(host.origin);

// Requests of the benchmark: processor time in microseconds, resident bytes.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  if (process.env.LOG) console.error(process.memoryUsage());
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => process.exit());
