import type { RawMethod } from "../load/raw.js";
import { parseErrorRules } from "../model/build/extensions.js";
import type { ErrorRule } from "../model/ir.js";
import { html, type Html } from "./html.js";
import type { JsonView } from "./json-view.js";
import type { PageContext } from "./page-context.js";
import { paragraphs } from "./prose.js";
import { typeOf } from "./types.js";

/** Maximum number of errors that a list shows. */
const MAX_ERRORS = 100;

/**
 * Body of errors if the description does not declare another one. The generated
 * client reads its members.
 */
const STANDARD_BODY = `{
  "error": {
    "code": 404,
    "message": "File not found: FILE_ID.",
    "status": "NOT_FOUND",
    "errors": [{ "reason": "notFound", "location": "fileId" }]
  }
}`;

/**
 * Renders the errors that a method declares (`x-errors`), and a link to those of
 * all methods.
 */
export function methodErrors(api: PageContext, method: RawMethod): Html {
  const rules = parseErrorRules(method["x-errors"]);
  const link = html`<a href="${api.links.api(api.summary)}#errors"
    >${rules.length === 0 ? "those of all methods" : "and the errors of all methods"}</a
  >`;
  return html`<dt>Errors</dt>
    <dd>${errorList(api, rules)}${link}</dd>`;
}

/** Renders the errors of all methods, and their body, for the overview page. */
export function apiErrors(api: PageContext, document: JsonView): Html {
  const rules = parseErrorRules(document.at("x-errors")?.value());
  return html`<h2 id="errors">Errors</h2>
    ${
      rules.length === 0
        ? html`<p>
              The description declares no errors. Services with descriptions of
              this kind respond with a status of 400 or more and this body; the
              generated client throws an error with its members.
            </p>
            <figure class="call">
              <figcaption>Body of errors</figcaption>
              <pre tabindex="0"><code>${STANDARD_BODY}</code></pre>
            </figure>`
        : errorList(api, rules)
    }`;
}

function errorList(
  api: PageContext,
  rules: readonly ErrorRule[],
): Html | undefined {
  if (rules.length === 0) return undefined;
  return html`<ul class="values errors">
    ${rules.slice(0, MAX_ERRORS).map(
      ({ status, reason, code, description, schema }) =>
        html`<li>
          <code>${status === "default" ? "4xx, 5xx" : status}</code>
          ${[code, reason].map((name) => name !== undefined && html`<code>${name}</code> `)}
          ${schema !== undefined && html`(${typeOf(api, { $ref: schema })})`}
          ${paragraphs(description, api.origin)}
        </li>`,
    )}
  </ul>`;
}
