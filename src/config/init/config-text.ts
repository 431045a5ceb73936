import { existsSync } from "node:fs";
import path from "node:path";
import { printJson } from "../../diagnostics/json.js";
import type { ApiConfig } from "../gen-config.js";
import { apiEntry } from "./api-entries.js";
import type { InitSettings } from "./init-settings.js";
import { toPosix } from "../../platform/paths.js";

/**
 * Path of the JSON Schema, relative to the folder that contains node_modules.
 */
const SCHEMA =
  "node_modules/discovery-codegen/generated/schemas/gen.config.schema.json";

/** Returns the text of a new config file in the working directory. */
export async function configText(
  { api, out, target, format }: InitSettings,
  cwd: string,
): Promise<string> {
  const apis = apiEntries(api, cwd);
  const config = { out, target, apis };
  if (format === "json")
    return `${printJson({ $schema: schemaPath(cwd), ...config })}\n`;
  if (format === "ts") return typescriptText(config);
  const { yamlText } = await import("./yaml-text.js");
  return yamlText(config, schemaPath(cwd));
}

function typescriptText(config: object): string {
  const text = printJson(config)
    .replace(/^( *)"([A-Za-z]\w*)":/gm, "$1$2:")
    .replace(/target: \[[^[\]]*\]/, (list) => list.replace(/\s+/g, " "))
    .replace("[ ", "[")
    .replace(" ]", "]");
  return `import { defineConfig } from "discovery-codegen";\n\nexport default defineConfig(${text});\n`;
}

function apiEntries(
  api: readonly string[],
  cwd: string,
): Record<string, ApiConfig> {
  const entries = api.flatMap((text) => [apiEntry(text, cwd) ?? []]);
  return Object.fromEntries(entries as [string, ApiConfig][]);
}

/**
 * Returns the path of the JSON Schema. In a workspace, node_modules can be in a
 * parent folder.
 */
function schemaPath(cwd: string): string {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, SCHEMA))) {
      const parent = toPosix(path.relative(cwd, folder));
      return parent === "" ? `./${SCHEMA}` : `${parent}/${SCHEMA}`;
    }
    if (path.dirname(folder) === folder) return `./${SCHEMA}`;
  }
}
