import type { Definition, Field, Method } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { valuesOf } from "./completed.js";
import { isJsonObject } from "./conform.js";
import type { Params } from "./mock-context.js";
import { fieldsOf } from "./resource-fields.js";
import type { MethodRole, ResourceType } from "./method-role.js";
import { isReferenceTo, patternOf } from "./method-role.js";
import { usableState } from "./states.js";
import type { JsonObject } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/**
 * Custom method (AIP-136) on a resource: `{+name}:cancel`,
 * `instances/{instance}/stop`, `files/{fileId}/copy`.
 */
export interface Action {
  /**
   * - `change`: changes a resource, or only reads it.
   * - `copy`: creates a copy, in the same collection or at a path after the verb.
   * - `compose`: creates a resource from the content of others.
   */
  readonly kind: "change" | "copy" | "compose";
  /** True if a colon precedes the verb, so that it is not a segment. */
  readonly isToken: boolean;
  /** Custom verb, such as `cancel`. */
  readonly verb: string;
  readonly resourceType: ResourceType;
  /** Number of segments of the path of the resource; the verb follows. */
  readonly segments: number;
  /** Member of the request body that contains a resource. */
  readonly bodyField?: string | undefined;
  /** Member of the response that contains the resource. */
  readonly resultField?: string | undefined;
  /** True if callers can create resources of the type. */
  readonly canCreate: boolean;
}

/** Verbs that create a resource in a collection. */
const CREATES =
  /^(create|insert|add|import|send|quick_?add|submit|schedule|upload)/i;

/**
 * Infers the roles of methods that are standard methods with a custom verb:
 * `people:createContact`, `messages/send`, `{+resourceName}:deleteContact`, and
 * the pair `getIamPolicy` and `setIamPolicy`, which is a singleton.
 */
export function customRolesOf(
  methods: readonly Method[],
  types: readonly ResourceType[],
  definitions: Definitions,
): Map<Method, MethodRole> {
  const roles = new Map<Method, MethodRole>();
  const pairs = new Map<string, ResourceType>();
  const customs = methods.flatMap((method) => {
    const custom = customOf(method);
    return custom === undefined ? [] : [{ method, ...custom }];
  });
  for (const custom of customs) {
    const { method } = custom;
    if (method.rawResponse === true) continue;
    const role =
      verbRole(method, custom, types, definitions) ??
      pairRole(method, custom, customs, pairs, definitions);
    if (role !== undefined) roles.set(method, role);
  }
  return roles;
}

/** Path of a custom method without its verb, and the verb. */
interface Custom {
  readonly base: string;
  readonly verb: string;
  /** True if a colon precedes the verb, so that it is not a segment. */
  readonly isToken: boolean;
}

function customOf(method: Method): Custom | undefined {
  const { tokens } = method;
  const last = tokens.at(-1);
  if (last?.kind === "verb") {
    const pattern = patternOf({ ...method, tokens: tokens.slice(0, -1) });
    const verb = last.text.replace(/^:/, "");
    return pattern === undefined
      ? undefined
      : { base: pattern, verb, isToken: true };
  }
  const pattern = patternOf(method) ?? "";
  // In people:createContact, the verb is a part of the literal text.
  const colon = /^(.*[^/]):(\w+)$/.exec(pattern);
  if (colon !== null)
    return { base: colon[1]!, verb: colon[2]!, isToken: true };
  const end = pattern.lastIndexOf("/");
  const verb = pattern.slice(end + 1);
  return end === -1 || verb.includes("*")
    ? undefined
    : { base: pattern.slice(0, end), verb, isToken: false };
}

function verbRole(
  method: Method,
  { base, verb, isToken }: Custom,
  types: readonly ResourceType[],
  definitions: Definitions,
): MethodRole | undefined {
  const { httpMethod, request, response } = method;
  const custom = { customSegments: isToken ? 0 : 1 };
  for (const resourceType of types) {
    const { schemaId, isSingleton } = resourceType;
    if (isSingleton || resourceType.isOperation) continue;
    if (isItem(base, resourceType)) {
      if (httpMethod === "DELETE")
        return { kind: "delete", resourceType, ...custom };
      const isChange = /^(PUT|PATCH)$/.test(httpMethod);
      if (!isChange || !isReferenceTo(request, schemaId)) continue;
      const kind = httpMethod === "PUT" ? "replace" : "patch";
      return { kind, resourceType, ...custom };
    }
    const creates =
      httpMethod === "POST" &&
      base === resourceType.pattern &&
      CREATES.test(verb) &&
      isReferenceTo(response, schemaId) &&
      objectFields(response, definitions).length > 0;
    if (creates) return { kind: "create", resourceType, ...custom };
  }
  return undefined;
}

/**
 * Returns the role of `getX` and `setX` on the same path with the same response:
 * they read and replace a singleton.
 */
function pairRole(
  method: Method,
  { base, verb, isToken }: Custom,
  customs: readonly (Custom & { readonly method: Method })[],
  pairs: Map<string, ResourceType>,
  definitions: Definitions,
): MethodRole | undefined {
  const [, start, name] = /^(get|set)(\w+)$/.exec(verb) ?? [];
  const { response } = method;
  if (start === undefined || response?.kind !== "ref") return undefined;
  const wanted = `${start === "get" ? "set" : "get"}${name}`;
  const hasOther = customs.some(
    (other) =>
      other.verb === wanted &&
      other.base === base &&
      isReferenceTo(other.method.response, response.id),
  );
  const body = definitions.get(response.id)?.body;
  if (!hasOther || body?.kind !== "object" || base.includes("**"))
    return undefined;
  const pattern = `${base}/${name}`;
  const resourceType = pairs.get(pattern) ?? {
    pattern,
    schemaId: response.id,
    isSingleton: true,
    variable: undefined,
    prefix: undefined,
    parameter: undefined,
    hasContent: false,
    isOperation: false,
  };
  pairs.set(pattern, resourceType);
  return {
    kind: start === "get" ? "get" : "replace",
    resourceType,
    bodyField:
      start === "get"
        ? undefined
        : objectFields(method.request, definitions).find(({ schema }) =>
            isReferenceTo(schema, response.id),
          )?.name,
    customSegments: isToken ? 0 : 1,
    pairName: name,
  };
}

/** Values that a custom method receives. */
export interface ActionInput {
  readonly body: unknown;
  readonly params: Params;
}

/**
 * Returns the members of a resource that a custom method changes:
 *
 * - members that `addLabelIds`, `removeLabelIds` and `setLabels` name,
 * - parameters of `move` with the name of a member,
 * - the state that the verb names: `pause` results in `PAUSED`.
 */
export function changesOf(
  { verb, resourceType }: Action,
  method: Method,
  value: JsonObject,
  { body, params }: ActionInput,
  definitions: Definitions,
): JsonObject {
  const fields = fieldsOf(resourceType.schemaId, definitions);
  const given: JsonObject = { ...params, ...(isJsonObject(body) ? body : {}) };
  const changes: [string, unknown][] = Object.entries(
    listChangesOf(value, given, fields),
  );
  const name = lowerFirst(/^set([A-Z]\w*)$/.exec(verb)?.[1] ?? "");
  const field = fields.get(name);
  const { request } = method;
  if (field?.schema.kind === "ref" && isReferenceTo(request, field.schema.id))
    changes.push([name, body]);
  else if (field !== undefined && given[name] !== undefined)
    changes.push([name, given[name]]);
  if (verb === "move")
    for (const [key, moved] of Object.entries(params))
      if (fields.get(key)?.schema.kind === "scalar" && moved !== undefined)
        changes.push([key, moved]);
  for (const state of fields.values()) {
    if (!/^(state|status|lifecycle_?state)$/i.test(state.name)) continue;
    const after = stateAfter(verb, valuesOf(state, definitions) ?? []);
    if (after !== undefined) changes.push([state.name, after]);
  }
  return Object.fromEntries(changes);
}

/**
 * Returns the lists of a resource to which values are added, or from which they are
 * removed, by members or parameters such as `addParents` and `removeLabelIds`.
 */
export function listChangesOf(
  value: JsonObject,
  given: JsonObject,
  fields: ReadonlyMap<string, Field>,
): JsonObject {
  const lists = new Map<string, unknown[]>();
  for (const [key, values] of Object.entries(given)) {
    const [, verb, rest] = /^(add|remove)([A-Z]\w*)$/.exec(key) ?? [];
    const name = lowerFirst(rest ?? "");
    if (verb === undefined || fields.get(name)?.schema.kind !== "list")
      continue;
    const old = lists.get(name) ?? value[name];
    const before: unknown[] = Array.isArray(old) ? old : [];
    const named: unknown[] = Array.isArray(values)
      ? values
      : String(values ?? "").split(",");
    const others = named.filter((element) => !before.includes(element));
    const kept = before.filter((element) => !named.includes(element));
    lists.set(name, verb === "add" ? [...before, ...others] : kept);
  }
  return Object.fromEntries(lists);
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Verbs after which a resource is usable. */
const STARTS =
  /^(resume|start|restart|activate|reactivate|enable|undelete|restore|reset|reopen|unpause|unsuspend)$/i;

/** Other names of the state after a verb, if it has no form of the verb. */
const OTHER_STATES: Readonly<Record<string, RegExp>> = {
  stop: /^(terminated|suspended|inactive)$/i,
  deactivate: /^inactive$/i,
  disable: /^inactive$/i,
};

/**
 * Returns the listed state that is the participle of a verb, such as `CANCELLED`
 * for `cancel`, or that of a usable resource after a verb such as `resume`.
 */
export function stateAfter(
  verb: string,
  values: readonly string[],
): string | undefined {
  const stem = verb.toLowerCase().replace(/e$/, "").replace(/y$/, "i");
  const forms = [`${stem}ed`, `${stem}${stem.at(-1) ?? ""}ed`];
  const other = Object.hasOwn(OTHER_STATES, verb)
    ? OTHER_STATES[verb]
    : undefined;
  return (
    values.find((value) => forms.includes(value.toLowerCase())) ??
    values.find((value) => other?.test(value)) ??
    (STARTS.test(verb) ? usableState(values) : undefined)
  );
}

/**
 * Infers the actions of the methods that have no role.
 *
 * @param roles roles of the standard methods
 */
export function actionsOf(
  methods: readonly Method[],
  roles: ReadonlyMap<Method, MethodRole>,
  definitions: Definitions,
): ReadonlyMap<Method, Action> {
  const all = [...roles.values()];
  const types = [...new Set(all.map(({ resourceType }) => resourceType))];
  const created = new Set(
    all.flatMap(({ kind, resourceType }) =>
      kind === "create" ? [resourceType] : [],
    ),
  );
  const actions = new Map<Method, Action>();
  for (const method of methods) {
    const isStandard = roles.has(method) || method.rawResponse === true;
    if (isStandard || method.httpMethod !== "POST") continue;
    const pattern = patternOf(method) ?? "";
    const custom = customOf(method);
    for (const resourceType of types) {
      const action = actionOf(
        method,
        pattern,
        custom,
        resourceType,
        definitions,
      );
      if (action === undefined) continue;
      const canCreate = created.has(resourceType);
      actions.set(method, { ...action, resourceType, canCreate });
      break;
    }
  }
  return actions;
}

/** @param pattern path of the method; empty if it ends with a custom verb */
function actionOf(
  method: Method,
  pattern: string,
  custom: Custom | undefined,
  resourceType: ResourceType,
  definitions: Definitions,
): Omit<Action, "resourceType" | "canCreate"> | undefined {
  if (resourceType.isSingleton) return undefined;
  const { request, response } = method;
  const { schemaId } = resourceType;
  const fieldOf = (schema: Method["request"]): string | undefined =>
    objectFields(schema, definitions).find((field) =>
      isReferenceTo(field.schema, schemaId),
    )?.name;
  const returnsResource = isReferenceTo(response, schemaId);
  const resultField = returnsResource ? undefined : fieldOf(response);
  const bodyField = isReferenceTo(request, schemaId)
    ? undefined
    : fieldOf(request);
  const item = `${resourceType.pattern}/*`;
  const segments = item.split("/").length;
  const [verb = "", ...rest] = pattern.split("/").slice(segments);
  const isCopyTo =
    pattern.startsWith(`${item}/`) &&
    rest.join("/") === item &&
    (returnsResource || resultField !== undefined);
  if (isCopyTo)
    return {
      kind: "copy",
      isToken: false,
      verb,
      segments,
      bodyField,
      resultField,
    };
  if (custom === undefined || !isItem(custom.base, resourceType))
    return undefined;
  const { verb: customVerb, isToken } = custom;
  const common = {
    verb: customVerb,
    isToken,
    segments,
    bodyField,
    resultField,
  };
  if (custom.verb === "copy" && returnsResource)
    return { kind: "copy", ...common };
  if (custom.verb === "compose" && returnsResource)
    return { kind: "compose", ...common };
  return { kind: "change", ...common };
}

function isItem(
  pattern: string,
  { pattern: collection }: ResourceType,
): boolean {
  return pattern === `${collection}/*` || pattern === `${collection}/**`;
}
