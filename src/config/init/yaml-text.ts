import { stringify } from "yaml";

/**
 * Formats a config as YAML. A comment contains the path of the JSON Schema,
 * which editors use.
 */
export function yamlText(config: object, schema: string): string {
  return [
    `# yaml-language-server: $schema=${schema}`,
    "# Add APIs with `gen add <name>:<version>`; generate with `gen`.",
    stringify(config),
  ].join("\n");
}
