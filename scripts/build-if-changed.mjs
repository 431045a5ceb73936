// Builds the package unless dist/ is the result of the same inputs. The tests run
// this: each of their projects would otherwise build the package again.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hashInputs, RECORD } from "./build-inputs.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const record = path.join(root, RECORD);
const isCurrent =
  existsSync(record) && readFileSync(record, "utf8") === hashInputs(root);
if (!isCurrent) await import("./build.mjs");
