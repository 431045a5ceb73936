import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import { SCRIPT_PATH, STYLE_PATH } from "./asset-paths.js";
import { scriptOf } from "../../../site/script.js";
import { styleOf } from "../../../site/style.js";
import type { TryOrigins } from "../../../site/try-form.js";

/** Returns the style sheet or the script; undefined for other paths. */
export function asset(
  path: string,
  tryOrigins: TryOrigins,
): Outgoing | undefined {
  if (path === STYLE_PATH) return file("text/css", styleOf(tryOrigins));
  if (path === SCRIPT_PATH)
    return file("text/javascript", scriptOf(tryOrigins));
  return undefined;
}

/** Returns a response whose body is a script. */
export function script(text: string): Outgoing {
  return file("text/javascript", text);
}

function file(type: string, body: string): Outgoing {
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    },
    body,
  };
}
