import type { RawSchema } from "../../load/raw.js";
import type { ListForm } from "../ir.js";

/** `x-list-forms` of a repeated parameter; what is no form counts as absent. */
export function listForms(raw: RawSchema): {
  readonly forms?: readonly ListForm[];
} {
  const given: unknown = raw["x-list-forms"];
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const forms = list.filter(
    (form): form is ListForm => form === "comma" || form === "brackets",
  );
  return forms.length === 0 || raw.repeated !== true ? {} : { forms };
}
