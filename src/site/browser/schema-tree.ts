import { replaceInvisible } from "../../diagnostics/invisible.js";
import type { RawSchema } from "../../load/raw.js";
import { isReadOnly, isRequired } from "../field-flags.js";
import { exampleOf } from "../sample.js";
import { typeText } from "../type-text.js";

declare global {
  /** Schemas of the API by id, which the script schemas.js of the API assigns. */
  var apiSchemas: Readonly<Record<string, RawSchema>> | undefined;
}

/** Maximum number of properties that are shown at once. */
const MAX_PROPERTIES = 200;

let loading: Promise<Readonly<Record<string, RawSchema>>> | undefined;

function load(url: string): Promise<Readonly<Record<string, RawSchema>>> {
  return (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(globalThis.apiSchemas ?? {});
    script.onerror = reject;
    document.head.append(script);
  }));
}

/**
 * Adds a button to the type of a body, which shows the properties of the schema
 * in place. Nested schemas can be opened the same way.
 */
export function setUpSchema(cell: HTMLElement, url: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "expand";
  button.textContent = "Show properties";
  button.setAttribute("aria-expanded", "false");
  let list: HTMLElement | undefined;
  button.addEventListener("click", () => {
    void load(url).then((schemas) => {
      const methodId = cell.dataset["request"];
      if (list === undefined) {
        list = propertiesOf(
          { $ref: cell.dataset["schema"]! },
          schemas,
          methodId,
        );
        cell.append(list);
      } else list.hidden = !list.hidden;
      button.setAttribute("aria-expanded", String(!list.hidden));
      button.textContent = list.hidden ? "Show properties" : "Hide properties";
    });
  });
  cell.append(" ", button);
}

function propertiesOf(
  schema: RawSchema,
  schemas: Readonly<Record<string, RawSchema>>,
  methodId: string | undefined,
): HTMLElement {
  const target = resolved(schema, schemas);
  const entries = Object.entries(target?.properties ?? {});
  const weightOf = (property: RawSchema): number =>
    Number(isRequired(property, methodId)) * 2 -
    Number(methodId !== undefined && isReadOnly(property, methodId));
  const sorted = entries.sort(([, a], [, b]) => weightOf(b) - weightOf(a));
  const list = element("ul", "tree");
  list.append(
    ...sorted
      .slice(0, MAX_PROPERTIES)
      .map(([name, property]) => itemOf(name, property, schemas, methodId)),
  );
  const left = sorted.length - MAX_PROPERTIES;
  if (left > 0) list.append(element("li", "", `and ${left} more`));
  if (sorted.length === 0) list.append(element("li", "none", "No properties."));
  return list;
}

/** Returns the schema with properties that a type refers to. */
function resolved(
  { $ref, items, additionalProperties, ...schema }: RawSchema,
  schemas: Readonly<Record<string, RawSchema>>,
): RawSchema | undefined {
  if ($ref !== undefined)
    return Object.hasOwn(schemas, $ref) ? schemas[$ref] : undefined;
  const [item] = [items ?? []].flat();
  if (item !== undefined) return resolved(item, schemas);
  if (typeof additionalProperties === "object")
    return resolved(additionalProperties, schemas);
  return schema;
}

function itemOf(
  name: string,
  property: RawSchema,
  schemas: Readonly<Record<string, RawSchema>>,
  methodId: string | undefined,
): HTMLElement {
  const item = element("li", "");
  const head = document.createElement("p");
  head.append(
    element("code", "", name),
    " ",
    element("small", "", typeText(property)),
    ...badgesOf(property, methodId),
  );
  item.append(head);
  if (property.description !== undefined)
    item.append(element("p", "what", property.description.replaceAll("`", "")));
  item.append(...rulesOf(property), ...valuesOf(property));
  if (Object.keys(resolved(property, schemas)?.properties ?? {}).length > 0) {
    const details = document.createElement("details");
    details.append(element("summary", "", "Properties"));
    details.addEventListener(
      "toggle",
      () => details.append(propertiesOf(property, schemas, methodId)),
      { once: true },
    );
    item.append(details);
  }
  return item;
}

/** Returns lines with the default value, limits and an example of a value. */
function rulesOf(property: RawSchema): HTMLElement[] {
  const rules: readonly (readonly [string, unknown])[] = [
    ["Default", property.default],
    ["Pattern", property.pattern],
    ["At least", property.minimum],
    ["At most", property.maximum],
    ["Example", exampleOf(property)],
  ];
  return rules
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => {
      const line = element("p", "rule", `${name}: `);
      line.append(element("code", "", String(value)));
      return line;
    });
}

/** Number of values up to which a list is open. */
const FEW_VALUES = 4;

function valuesOf({
  enum: values = [],
  enumDescriptions = [],
  enumDeprecated = [],
}: RawSchema): HTMLElement[] {
  if (values.length === 0) return [];
  const list = element("ul", "values");
  for (const [at, value] of values.slice(0, 100).entries()) {
    const row = element("li", "");
    row.append(
      element("code", "", String(value)),
      ...(enumDeprecated[at] === true
        ? [" ", element("span", "old", "deprecated")]
        : []),
      " ",
      clean(enumDescriptions[at] ?? ""),
    );
    list.append(row);
  }
  const left = values.length - 100;
  if (left > 0) list.append(element("li", "", `and ${left} more`));
  if (values.length <= FEW_VALUES) return [list];
  const details = document.createElement("details");
  details.append(element("summary", "", `${values.length} values`), list);
  return [details];
}

function badgesOf(
  property: RawSchema,
  methodId: string | undefined,
): (Node | string)[] {
  const { deprecated } = property;
  return [
    ...(isRequired(property, methodId)
      ? [" ", element("span", "must", "required")]
      : []),
    ...(isReadOnly(property, methodId)
      ? [" ", element("span", "mark", "read only")]
      : []),
    ...(deprecated === true ? [" ", element("span", "old", "deprecated")] : []),
  ];
}

function element(tag: string, className: string, text = ""): HTMLElement {
  const created = document.createElement(tag);
  if (className !== "") created.className = className;
  created.textContent = clean(text);
  return created;
}

/** Replaces invisible and bidirectional characters, which could hide text. */
function clean(text: string): string {
  return replaceInvisible(text);
}
