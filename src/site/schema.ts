import { formatCount } from "../diagnostics/format-count.js";
import type { RawSchema } from "../load/raw.js";
import { takeFitting, html, type Html } from "./html.js";
import { propertyRow, propertyTable } from "./field-table.js";
import type { PageContext } from "./page-context.js";
import { paragraphs } from "./prose.js";
import { anchor } from "./links.js";
import { badgesOf, constraintsOf, typeOf } from "./types.js";

/**
 * Number of characters of markup on a page after which no more properties are
 * shown.
 */
const BUDGET = 220_000;

/** Maximum nesting depth of inline objects. */
const MAX_DEPTH = 6;

/**
 * Renders the documentation of a schema with its properties. Properties of
 * inline objects have dotted names such as `owner.name`.
 * @param level heading level
 */
export function schemaSection(
  api: PageContext,
  name: string,
  schema: RawSchema,
  level: 1 | 2,
): Html {
  const rows = propertiesOf(schema, "", 0);
  const { shown, left } = takeFitting(
    rows.map(
      ([path, property]) =>
        () =>
          propertyRow(api, path, property),
    ),
    BUDGET,
  );
  const id = anchor(name);
  const heading =
    level === 1
      ? html`<h1 id="${id}">${name}${badgesOf(schema)}</h1>`
      : html`<h2 id="${id}">
          <a href="${api.links.schema(api.summary, name)}">${name}</a
          >${badgesOf(schema)}
        </h2>`;
  return html`${heading} ${paragraphs(schema.description, api.origin)}
    <p class="path">Schema, ${typeOf(api, schema)}</p>
    ${constraintsOf(schema)} ${variants(api, schema)}
    ${
      shown.length > 0 &&
      html`${level === 1 ? html`<h2>Properties</h2>` : html`<h3>Properties</h3>`}
      ${propertyTable(`Properties of ${name}`, shown)}`
    }
    ${
      left > 0 &&
      html`<p>
        Not shown: ${formatCount(left, "more property", "more properties")}.
      </p>`
    }`;
}

type Row = readonly [path: string, schema: RawSchema];

function propertiesOf(schema: RawSchema, prefix: string, depth: number): Row[] {
  if (depth > MAX_DEPTH) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name;
    return [
      [path, property] as const,
      ...propertiesOf(property, `${path}.`, depth + 1),
      ...itemProperties(property, path, depth),
    ];
  });
}

/**
 * Returns the properties of inline objects that are the elements of a list, the
 * values of a map, or alternatives.
 */
function itemProperties(
  { items, additionalProperties, ...schema }: RawSchema,
  path: string,
  depth: number,
): Row[] {
  const [item] = [items ?? {}].flat();
  const values =
    typeof additionalProperties === "object" ? additionalProperties : {};
  return [
    ...propertiesOf(item ?? {}, `${path}[].`, depth + 1),
    ...propertiesOf(values, `${path}.*.`, depth + 1),
    ...(schema["x-one-of"] ?? []).flatMap((option) => [
      ...propertiesOf(option, `${path}.`, depth + 1),
      ...itemProperties(option, path, depth + 1),
    ]),
  ];
}

function variants(api: PageContext, { variant }: RawSchema): Html | undefined {
  if (variant?.map === undefined) return undefined;
  const rows = variant.map.map(
    ({ type_value, $ref }) =>
      html`<li>
        <code>${type_value}</code>:
        ${$ref !== undefined && typeOf(api, { $ref })}
      </li>`,
  );
  return html`<h2>Variants</h2>
    <p>Selected by <code>${variant.discriminant}</code>:</p>
    <ul>
      ${rows}
    </ul>`;
}
