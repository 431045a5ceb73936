import { stringify } from "yaml";

/**
 * Prints a config as YAML, with a comment that names the JSON Schema for
 * editors.
 */
export function yamlText(config: object, schema: string): string {
  return [
    `# yaml-language-server: $schema=${schema}`,
    "# Add APIs with `gen add <name>:<version>`; generate with `gen`.",
    stringify(config),
  ].join("\n");
}
