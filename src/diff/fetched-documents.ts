import { existsSync } from "node:fs";
import path from "node:path";
import { listSources } from "../load/sources.js";
import type { OperandResolver } from "./operands.js";

/** Label of an entry of the lock file. */
const LABEL = /^([A-Za-z0-9][\w.-]{0,99}):([A-Za-z0-9][\w.-]{0,99})$/;

/**
 * Returns a resolver for labels of fetched documents: `drive:v3` is
 * `drive.v3.json` in the folder. An existing file with the name of the label
 * takes precedence.
 */
export function fetchedDocuments(folder: string): OperandResolver {
  return async (operand, cwd) => {
    const [, name, version] = LABEL.exec(operand) ?? [];
    if (name === undefined || existsSync(path.resolve(cwd, operand)))
      return undefined;
    const file = path.posix.join(
      folder.split(path.sep).join("/"),
      `${name}.${version}.json`,
    );
    if (!existsSync(path.resolve(cwd, file))) return undefined;
    const { sources } = await listSources([file], cwd);
    return { sources, isSet: false };
  };
}
