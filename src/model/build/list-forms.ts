import type { RawSchema } from "../../load/raw.js";
import type { ListForm } from "../ir.js";

/**
 * Parses the `x-list-forms` extension of a repeated parameter, which declares
 * additional encodings of the list in a URL. Ignores unknown encodings.
 */
export function listForms(raw: RawSchema): {
  readonly forms?: readonly ListForm[];
} {
  const value: unknown = raw["x-list-forms"];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const forms = list.filter(
    (form): form is ListForm => form === "comma" || form === "brackets",
  );
  return forms.length === 0 || raw.repeated !== true ? {} : { forms };
}
