import script from "#built/site-script.js";
import type { TryOrigins } from "./try-form.js";
import { TRY_SCRIPT } from "./try-script.js";

/**
 * Returns the script of the pages (src/site/browser). It includes the script of the
 * request forms only if the site permits requests.
 */
export function scriptOf(tryOrigins: TryOrigins = []): string {
  return tryOrigins.length === 0 ? script : script + TRY_SCRIPT;
}
