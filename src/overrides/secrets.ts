import { isHiddenKey as isHidden } from "../runtime/rules/mask.js";
import { propertyIndex, type Property } from "./schema/property-index.js";

/** Maximum length of a path in characters. All known paths are shorter. */
const MAX_CHARACTERS = 100;

/**
 * Returns the property for a dotted key such as `auth.admin`, which is a path
 * from the enclosing block or from the top level.
 */
export function dottedProperty(
  owner: Property | undefined,
  key: string,
): Property | undefined {
  if (!key.includes(".") || key.length > MAX_CHARACTERS) return undefined;
  const { byPath } = propertyIndex();
  return byPath.get(`${owner?.row.path ?? ""}.${key}`) ?? byPath.get(key);
}

/**
 * Tests whether the value of an unknown key, including nested values, must be
 * masked.
 */
export function isHiddenKey(key: string): boolean {
  return isHidden(key, propertyIndex());
}

/** Tests whether a scalar value must not be printed. */
export function isSensitive(property: Property): boolean {
  return propertyIndex().isSensitive(property);
}
