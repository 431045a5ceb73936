import path from "node:path";
import { catalogue } from "../diagnostics/catalogue.js";
import type { Sink } from "../diagnostics/sink.js";
import { readFileLimited } from "../platform/read-limited.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/**
 * Reads a config file in the format that its extension indicates. Reports a
 * file that can't be read, parsed or run, and returns undefined. Throws
 * MissingPackageError if a config in TypeScript needs a package.
 * @param name path of the file, as shown in messages
 */
export async function readConfig(
  file: string,
  name: string,
  sink: Sink,
): Promise<LoadedConfig | undefined> {
  try {
    return await read(file);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    const { severity, cause, fix } = catalogue["config-file"];
    const message = `${name} can't be used: ${error.message}`;
    sink.diagnostics.push({
      code: "config-file",
      severity,
      message,
      cause,
      fix,
      file: name,
      ...error.position,
    });
    return undefined;
  }
}

async function read(file: string): Promise<LoadedConfig> {
  switch (path.extname(file)) {
    case ".yaml":
    case ".yml":
      return (await import("./read-yaml.js")).readYaml(textOf(file));
    case ".json":
      return (await import("./read-json.js")).readJson(textOf(file));
    default: {
      const { importConfig } = await import("./import-config.js");
      return { value: await importConfig(file) };
    }
  }
}

/** Returns the text of a file without its byte order mark. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileLimited(file);
  } catch (error) {
    throw new ConfigFileError((error as Error).message);
  }
  const text = bytes.toString();
  if (text.includes("\ufffd") || text.includes("\0"))
    throw new ConfigFileError("the file must be UTF-8 text");
  return text.replace(/^\ufeff/, "");
}
