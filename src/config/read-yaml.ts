import { positionFinder } from "../diagnostics/locate.js";
import {
  parseYaml,
  YamlSyntaxError,
  yamlValue,
} from "../diagnostics/yaml-document.js";
import { yamlOffset } from "../diagnostics/yaml-offset.js";
import { ConfigFileError, type LoadedConfig } from "./loaded-config.js";

/** Parses a config in YAML. Throws ConfigFileError if the text is not valid. */
export function readYaml(text: string): LoadedConfig {
  const position = positionFinder(text);
  try {
    const { document } = parseYaml(text);
    return {
      value: yamlValue(document),
      positionOf: (pointer) => position(yamlOffset(document, pointer)),
    };
  } catch (error) {
    if (error instanceof YamlSyntaxError)
      throw new ConfigFileError(error.message, position(error.offset));
    throw error;
  }
}
