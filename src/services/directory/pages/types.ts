import type { RawSchema } from "../../../load/raw.js";
import type { Facts } from "../document-summary.js";
import { html, type Html, type Part } from "./html.js";
import { schemaPath } from "./links.js";

/** Lists and maps are named so deep. */
const MAX_DEPTH = 10;

/** The type of a value, with links to the schemas in it. */
export function typeOf(api: Facts, schema: RawSchema, depth = 0): Html {
  const { $ref, type, format, items, additionalProperties } = schema;
  if ($ref !== undefined)
    return html`<a href="${schemaPath(api, $ref)}">${$ref}</a>`;
  if (depth > MAX_DEPTH) return html`…`;
  const [inner] = [items ?? {}].flat();
  if (type === "array")
    return html`list of ${typeOf(api, inner ?? {}, depth + 1)}`;
  if (type === "object" && typeof additionalProperties === "object")
    return html`map of ${typeOf(api, additionalProperties, depth + 1)}`;
  return html`${type ?? "any"}${format !== undefined && html` <small>${format}</small>`}`;
}

/** The rules that a value keeps, besides its type. */
export function rulesOf(schema: RawSchema): Html {
  const { default: usual, pattern, minimum, maximum } = schema;
  const rules: Part[] = [
    usual !== undefined && usual !== null && rule("Default", String(usual)),
    pattern !== undefined && rule("Pattern", pattern),
    minimum !== undefined && rule("At least", String(minimum)),
    maximum !== undefined && rule("At most", String(maximum)),
  ];
  return html`${rules}${valuesOf(schema)}`;
}

/** Values beyond these stand in a fold. */
const FEW = 4;

/** Values beyond these are left to the document. */
const MAX_VALUES = 500;

function valuesOf(schema: RawSchema): Html | undefined {
  const { enum: values = [], enumDescriptions, enumDeprecated } = schema;
  if (values.length === 0) return undefined;
  const items = values
    .slice(0, MAX_VALUES)
    .map(
      (value, index) =>
        html`<li>
          <code>${String(value)}</code
          >${enumDeprecated?.[index] === true && html` <span class="old">deprecated</span>`}
          ${enumDescriptions?.[index]?.slice(0, 300)}
        </li>`,
    );
  const left = values.length - items.length;
  const list = html`<ul class="values">
    ${items}${left > 0 && html`<li>and ${left} more</li>`}
  </ul>`;
  return values.length <= FEW
    ? list
    : html`<details>
        <summary>${values.length} values</summary>
        ${list}
      </details>`;
}

/** Names of marks that a property or parameter has. */
export function marksOf(schema: RawSchema): Html {
  const marks: Part[] = [
    schema.required === true && html` <span class="must">required</span>`,
    schema.repeated === true && html` <span class="mark">repeated</span>`,
    schema.readOnly === true && html` <span class="mark">read only</span>`,
    schema.deprecated === true && html` <span class="old">deprecated</span>`,
  ];
  return html`${marks}`;
}

function rule(name: string, value: string): Html {
  return html`<p class="rule">${name}: <code>${value.slice(0, 300)}</code></p>`;
}
