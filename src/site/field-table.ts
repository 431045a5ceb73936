import type { RawSchema } from "../load/raw.js";
import { html, type Html } from "./html.js";
import type { PageContext } from "./page-context.js";
import { paragraphs } from "./prose.js";
import { badgesOf, constraintsOf, typeOf } from "./types.js";

/** Renders a table of parameters. */
export function parameterRows(
  api: PageContext,
  label: string,
  rows: readonly (readonly [name: string, schema: RawSchema])[],
): Html {
  return fieldTable(
    label,
    ["Name", "In", "Type", "Meaning"],
    rows.map(([name, schema]) =>
      fieldRow(api, name, schema, schema.location ?? "query"),
    ),
  );
}

/** Renders a table of properties with rows from `propertyRow`. */
export function propertyTable(label: string, rows: readonly Html[]): Html {
  return fieldTable(label, ["Name", "Type", "Meaning"], rows);
}

/** Renders the row of a property for `propertyTable`. */
export function propertyRow(
  api: PageContext,
  name: string,
  schema: RawSchema,
): Html {
  return fieldRow(api, name, schema, undefined);
}

/** Renders a table that scrolls sideways on narrow screens. */
function fieldTable(
  label: string,
  columns: readonly string[],
  rows: readonly Html[],
): Html {
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="${label}"
  >
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function fieldRow(
  api: PageContext,
  name: string,
  schema: RawSchema,
  location: string | undefined,
): Html {
  return html`<tr>
    <th scope="row"><code>${breakable(name)}</code>${badgesOf(schema)}</th>
    ${location !== undefined && html`<td>${location}</td>`}
    <td>${typeOf(api, schema)}</td>
    <td>
      ${paragraphs(schema.description, api.origin)}${constraintsOf(schema)}
    </td>
  </tr> `;
}

/** Renders a dotted name with an optional line break at each dot. */
function breakable(name: string): Html {
  const parts = name.split(".");
  return html`${parts.map((part, index) =>
    index === 0 ? part : html`.<wbr />${part}`,
  )}`;
}
