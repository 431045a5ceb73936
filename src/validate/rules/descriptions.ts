import { formatCount } from "../../diagnostics/format-count.js";
import { child, type DocumentPath } from "../../model/build/context.js";
import type { SchemaNode } from "../document-view.js";
import { hasText, listed, type ReportFinding, type Rule } from "../rule.js";

/**
 * Pattern for words that explain a deprecation: a replacement, or the reason.
 */
const DEPRECATION_NOTE =
  /deprecat|instead|replac|obsolete|superseded|prefer|legacy|no longer|remov|unsupported|not supported|unused|discontinued|do not use|don't use|shut ?down|sunset|turned down|ignored|no-op|migrat/i;

/** Rules that report missing descriptions. */
export const descriptionRules: readonly Rule[] = [
  {
    id: "api-undescribed",
    severity: "warning",
    cause:
      "The document has no title or no description. The generated documentation starts with both.",
    fix: "Add title and description to the document.",
    check({ document }, report) {
      for (const key of ["title", "description"] as const)
        if (!hasText(document[key]))
          report(`the document has no ${key}`, undefined);
    },
  },
  {
    id: "method-undescribed",
    severity: "warning",
    cause: "The method has no description.",
    fix: "Describe the effect of the method in one sentence.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods)
        if (!hasText(raw.description)) report(`${id} has no description`, at);
    },
  },
  {
    id: "parameter-undescribed",
    severity: "info",
    cause:
      "Some parameters of the method have no description; reported once for each method.",
    fix: "Describe the value and effect of each parameter.",
    check({ parameters }, report) {
      for (const [owner, nodes] of byOwner(parameters))
        reportGroup(owner, nodes, isUndescribed, "parameter", report);
    },
  },
  {
    id: "property-undescribed",
    severity: "info",
    cause:
      "Some properties of the schema have no description; reported once for each schema. A property needs no description if it refers to a schema that has one.",
    fix: "Describe the value and unit of each property.",
    check({ schemas, document }, report) {
      const described = new Set(
        Object.entries(document.schemas ?? {})
          .filter(
            ([, raw]) => typeof raw === "object" && hasText(raw.description),
          )
          .map(([id]) => id),
      );
      const isMissing = (node: SchemaNode): boolean =>
        isUndescribed(node) && !described.has(node.raw.$ref ?? "");
      const properties = schemas.filter(({ kind }) => kind === "property");
      for (const [owner, nodes] of byOwner(properties))
        reportGroup(owner, nodes, isMissing, "property", report);
    },
  },
  {
    id: "schema-undescribed",
    severity: "info",
    cause: "Some schemas have no description; reported once for each document.",
    fix: "Describe the object that each schema represents.",
    check({ schemas }, report) {
      const nodes = schemas.filter(({ kind }) => kind === "schema");
      reportGroup("the document", nodes, isUndescribed, "schema", report);
    },
  },
  {
    id: "enum-undescribed",
    severity: "info",
    cause:
      "Some enum values have no description; reported once for each schema or method.",
    fix: "Add enumDescriptions with one description for each value.",
    check({ schemas }, report) {
      const enums = schemas.filter(({ raw }) => (raw.enum?.length ?? 0) > 1);
      const isMissing = ({ raw }: SchemaNode): boolean =>
        !(raw.enumDescriptions ?? []).some(hasText);
      for (const [owner, nodes] of byOwner(enums))
        reportGroup(owner, nodes, isMissing, "enum", report);
    },
  },
  {
    id: "scope-undescribed",
    severity: "info",
    cause:
      "The scope has no description. Users see the description when they grant the scope.",
    fix: "Add a description to each scope.",
    check({ document }, report) {
      const scopes = Object.entries(document.auth?.oauth2?.scopes ?? {});
      const missing = scopes
        .filter(([, scope]) => !hasText(scope.description))
        .map(([name]) => name);
      if (missing.length > 0)
        report(
          `${missing.length} of ${formatCount(scopes.length, "scope")} ${missing.length === 1 ? "has" : "have"} no description ${listed(missing)}`,
          child(undefined, "auth", "oauth2", "scopes", missing[0]!),
        );
    },
  },
  {
    id: "deprecated-unexplained",
    severity: "info",
    cause:
      "A part of the document is deprecated, but its description mentions neither the deprecation nor a replacement.",
    fix: "State the replacement or the reason in the description.",
    check({ methods, schemas }, report) {
      for (const { id, raw, at } of methods)
        reportDeprecation(id, raw, at, report);
      for (const { label, raw, at } of schemas)
        reportDeprecation(label, raw, at, report);
    },
  },
];

function isUndescribed({ raw }: SchemaNode): boolean {
  return !hasText(raw.description);
}

function reportDeprecation(
  name: string,
  raw: { readonly deprecated?: boolean; readonly description?: string },
  at: DocumentPath,
  report: ReportFinding,
): void {
  if (raw.deprecated === true && !DEPRECATION_NOTE.test(raw.description ?? ""))
    report(`${name} is deprecated without a note in its description`, at);
}

function byOwner(
  nodes: readonly SchemaNode[],
): ReadonlyMap<string, readonly SchemaNode[]> {
  const groups = new Map<string, SchemaNode[]>();
  for (const node of nodes) {
    const group = groups.get(node.owner);
    if (group === undefined) groups.set(node.owner, [node]);
    else group.push(node);
  }
  return groups;
}

const PLURALS = {
  parameter: "parameters",
  property: "properties",
  schema: "schemas",
  enum: "enums",
} as const;

/**
 * Reports how many schemas or parameters in a group have no description, as a
 * single finding.
 */
function reportGroup(
  owner: string,
  nodes: readonly SchemaNode[],
  isMissing: (node: SchemaNode) => boolean,
  noun: keyof typeof PLURALS,
  report: ReportFinding,
): void {
  const missing = nodes.filter(isMissing);
  const [first] = missing;
  if (first === undefined) return;
  const total = formatCount(nodes.length, noun, PLURALS[noun]);
  const verb = missing.length === 1 ? "has" : "have";
  const part = noun === "enum" ? "descriptions of values" : "description";
  const names = listed(missing.map((node) => nameIn(owner, node)));
  report(
    `${owner}: ${missing.length} of ${total} ${verb} no ${part} ${names}`,
    first.at,
  );
}

/**
 * Returns the name of a schema or parameter relative to the group that contains
 * it.
 */
function nameIn(owner: string, { label, name, kind }: SchemaNode): string {
  if (kind === "parameter" || kind === "schema") return name;
  return label.startsWith(`${owner}.`) ? label.slice(owner.length + 1) : label;
}
