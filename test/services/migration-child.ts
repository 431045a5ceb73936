import path from "node:path";
import { levelStore } from "../../src/services/store/level.js";
import { serve } from "./migration-support.js";

/*
 * The service in a process of its own, to be killed. It says where it listens.
 * Arguments: the root of the repositories, the data folder, how often an export is started.
 */
const [root, data, attempts] = process.argv.slice(2) as [
  string,
  string,
  string,
];
const store = await levelStore(path.join(data, "store"));
const more = { attempts: Number(attempts) };
const { origin } = await serve(root, path.join(data, "files"), more, store);
process.stdout.write(`${origin}\n`);
