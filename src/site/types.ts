import type { RawSchema } from "../load/raw.js";
import { isReadOnly, isRequired } from "./field-flags.js";
import { html, type Html, type HtmlPart } from "./html.js";
import type { ApiId, Links } from "./links.js";

/** Maximum nesting depth of lists and maps. */
const MAX_DEPTH = 10;

/** Maximum number of alternatives (`x-one-of`) in the type of a value. */
const MAX_OPTIONS = 20;

/** API whose page shows a type, and the links of that page. */
export interface LinkContext {
  readonly summary: ApiId;
  readonly links: Links;
}

/**
 * Renders the type of a value. The name of a schema is a link to the schema's
 * page.
 */
export function typeOf(api: LinkContext, schema: RawSchema, depth = 0): Html {
  const { $ref, type, format, items, additionalProperties } = schema;
  if ($ref !== undefined)
    return html`<a href="${api.links.schema(api.summary, $ref)}">${$ref}</a>`;
  if (depth > MAX_DEPTH) return html`…`;
  const options = schema["x-one-of"];
  if (options !== undefined && options.length > 0)
    return html`${options
      .slice(0, MAX_OPTIONS)
      .map(
        (option, index) =>
          html`${index > 0 && " or "}${typeOf(api, option, depth + 1)}`,
      )}${options.length > MAX_OPTIONS && " or …"}${schema["x-nullable"] === true && " or null"}`;
  const [inner] = [items ?? {}].flat();
  if (type === "array")
    return html`list of ${typeOf(api, inner ?? {}, depth + 1)}`;
  if (type === "object" && typeof additionalProperties === "object")
    return html`map of ${typeOf(api, additionalProperties, depth + 1)}`;
  return html`${type ?? "any"}${format !== undefined && html` <small>${format}</small>`}`;
}

/**
 * Renders the constraints of a value, such as its default value, pattern and
 * limits.
 */
export function constraintsOf(schema: RawSchema): Html {
  const { default: defaultValue, pattern, minimum, maximum } = schema;
  const constraints: HtmlPart[] = [
    defaultValue !== undefined &&
      defaultValue !== null &&
      constraintRow("Default", String(defaultValue)),
    pattern !== undefined && constraintRow("Pattern", pattern),
    minimum !== undefined && constraintRow("At least", String(minimum)),
    maximum !== undefined && constraintRow("At most", String(maximum)),
  ];
  return html`${constraints}${valuesOf(schema)}`;
}

/** Maximum number of enum values in a list that is initially expanded. */
const FEW_VALUES = 4;

/** Maximum number of enum values that are shown. */
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
  return values.length <= FEW_VALUES
    ? list
    : html`<details>
        <summary>${values.length} values</summary>
        ${list}
      </details>`;
}

/** Renders labels such as "required" for a property or parameter. */
export function badgesOf(schema: RawSchema): Html {
  const badges: HtmlPart[] = [
    isRequired(schema) && html` <span class="must">required</span>`,
    schema.repeated === true && html` <span class="mark">repeated</span>`,
    isReadOnly(schema) && html` <span class="mark">read only</span>`,
    schema.deprecated === true && html` <span class="old">deprecated</span>`,
  ];
  return html`${badges}`;
}

function constraintRow(name: string, value: string): Html {
  return html`<p class="rule">${name}: <code>${value.slice(0, 300)}</code></p>`;
}
