import { runtimeOverridesRules } from "../../../generated/overrides/v1.3/rules.js";
import { Properties } from "../../runtime/rules/properties.js";

export type { Property } from "../../runtime/rules/properties.js";

let cachedProperties: Properties | undefined;

/** Returns all properties of overrides files. */
export function propertyIndex(): Properties {
  cachedProperties ??= new Properties(runtimeOverridesRules);
  return cachedProperties;
}
