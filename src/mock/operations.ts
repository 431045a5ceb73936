// This file is longer than 250 lines, because it contains both conventions for
// long-running operations: google.longrunning.Operation, and that of Compute.

import type { Field, Method } from "../model/ir.js";
import type { Caller, MockContext, ResourceKey } from "./mock-context.js";
import { Random } from "./random.js";
import { fieldsOf, withMembers } from "./resource-fields.js";
import type { Resources } from "./resources.js";
import type { MethodRole, ResourceType } from "./method-role.js";
import { completed } from "./completed.js";
import type { JsonObject } from "./values.js";

/** Resource that an operation created, changed or deleted. */
export interface OperationTarget {
  /** Id of the resource's schema. */
  readonly type: string;
  /** Resource; undefined if it was deleted. */
  readonly value: JsonObject | undefined;
  /** URL of the resource. */
  readonly link: string | undefined;
  /** Full name of the resource, or its id. */
  readonly name: string;
}

/** Creates the completed operations that methods return. */
export class Operations {
  readonly #types: readonly ResourceType[];

  constructor(
    readonly context: MockContext,
    roles: ReadonlyMap<Method, MethodRole>,
    readonly resourcesOf: (resourceType: ResourceType) => Resources,
  ) {
    const types = [...roles.values()].map(({ resourceType }) => resourceType);
    this.#types = [...new Set(types)].filter(({ isOperation }) => isOperation);
  }

  /**
   * Completes a generated operation, and stores it, so that the method that
   * returns operations by name finds it.
   *
   * @param path path of the request
   */
  complete(
    generated: JsonObject,
    method: Method,
    target: OperationTarget | undefined,
    path: string,
    caller: Caller,
  ): JsonObject {
    const { store, seed, definitions } = this.context;
    const schemaId = method.response?.kind === "ref" ? method.response.id : "";
    const fields = fieldsOf(schemaId, definitions);
    const random = new Random(`${seed}|${path}|operation|${store.changes}`);
    const id = `operation-${random.text(12, "abcdefghijklmnopqrstuvwxyz0123456789")}`;
    const place = this.#placeOf(schemaId, path, id);
    const done =
      method.operation?.style === "status"
        ? this.#statusOperation(
            generated,
            fields,
            method,
            target,
            place,
            caller,
          )
        : this.#doneOperation(generated, fields, method, target, place, caller);
    if (place !== undefined)
      this.resourcesOf(place.resourceType).putAsIs(place.key, done);
    return done;
  }

  #doneOperation(
    generated: JsonObject,
    fields: ReadonlyMap<string, Field>,
    method: Method,
    target: OperationTarget | undefined,
    place: Place | undefined,
    caller: Caller,
  ): JsonObject {
    const rest = completed(generated, fields, this.context.definitions);
    const named =
      place === undefined
        ? rest
        : withMembers(rest, fields, {
            name: nameOf(place, fields),
            selfLink: linkOf(
              this.resourcesOf(place.resourceType),
              place,
              caller,
            ),
          });
    const response = this.#responseOf(method, target);
    const hasResponse = fields.has("response") && response !== undefined;
    const metadata = this.#metadataOf(target);
    return {
      ...named,
      ...(fields.has("metadata") && metadata !== undefined ? { metadata } : {}),
      ...(hasResponse ? { response } : {}),
    };
  }

  #responseOf(
    method: Method,
    target: OperationTarget | undefined,
  ): JsonObject | undefined {
    if (target !== undefined)
      return target.value === undefined
        ? { "@type": "type.googleapis.com/google.protobuf.Empty" }
        : { "@type": this.#typeUrl(target.type), ...target.value };
    const result = method.operation?.result;
    if (result?.kind !== "ref") return undefined;
    const { maker, seed } = this.context;
    const value = maker.make(result, `${seed}|${method.id}`) as JsonObject;
    return { "@type": this.#typeUrl(result.id), ...value };
  }

  /** Metadata of the type OperationMetadata, if the document has this schema. */
  #metadataOf(target: OperationTarget | undefined): JsonObject | undefined {
    const { definitions, maker, seed } = this.context;
    if (definitions.get("OperationMetadata")?.body.kind !== "object")
      return undefined;
    const fields = fieldsOf("OperationMetadata", definitions);
    const generated = maker.make(
      { kind: "ref", id: "OperationMetadata" },
      `${seed}|metadata`,
    ) as JsonObject;
    const value = withMembers(generated, fields, {
      ...(target === undefined ? {} : { target: target.name }),
      requestedCancellation: false,
      cancelRequested: false,
    });
    return { "@type": this.#typeUrl("OperationMetadata"), ...value };
  }

  /** URL of a message type. Documents do not contain the package. */
  #typeUrl(schemaId: string): string {
    const { name, version } = this.context.api;
    const message = schemaId.replace(
      /^GoogleCloud[A-Z]?[a-z]*(V\d\w*?)(?=[A-Z])/,
      "",
    );
    return `type.googleapis.com/google.cloud.${name}.${version}.${message}`;
  }

  #statusOperation(
    generated: JsonObject,
    fields: ReadonlyMap<string, Field>,
    method: Method,
    target: OperationTarget | undefined,
    place: Place | undefined,
    caller: Caller,
  ): JsonObject {
    const rest = completed(generated, fields, this.context.definitions);
    const scopes = Object.keys(rest).filter((name) => SCOPE.test(name));
    const kept = Object.fromEntries(
      Object.entries(rest).filter(([name]) => !scopes.includes(name)),
    );
    return withMembers(
      {
        ...kept,
        ...this.#scopesOf(fields, place, caller),
      },
      fields,
      {
        operationType: method.name,
        ...(place === undefined
          ? {}
          : {
              name: place.key.id,
              selfLink: linkOf(
                this.resourcesOf(place.resourceType),
                place,
                caller,
              ),
            }),
        ...(target?.link === undefined ? {} : { targetLink: target.link }),
      },
    );
  }

  /**
   * Members such as `zone` and `region`: the name or the URL of the path segment
   * after `zones`; absent if the path has none.
   */
  #scopesOf(
    fields: ReadonlyMap<string, Field>,
    place: Place | undefined,
    { root }: Caller,
  ): JsonObject {
    const segments = place?.key.collection.split("/") ?? [];
    const entries = [...fields.values()].flatMap((field) => {
      const index = segments.indexOf(`${field.name}s`);
      const value = segments[index + 1];
      if (!SCOPE.test(field.name) || index === -1 || value === undefined)
        return [];
      const isUrl = /URL/.test(field.description ?? "");
      const path = segments.slice(0, index + 2).join("/");
      const link = `${root ?? ""}${this.context.api.servicePath}${path}`;
      return [[field.name, isUrl ? link : value] as const];
    });
    return Object.fromEntries(entries);
  }

  /**
   * Chooses the collection for an operation: the one whose variables have most
   * values in the path of the request, and no other variables.
   */
  #placeOf(schemaId: string, path: string, id: string): Place | undefined {
    const candidates = this.#types
      .filter((type) => type.schemaId === schemaId)
      .map((resourceType) => ({
        resourceType,
        filled: fill(resourceType.pattern, path),
      }))
      .sort(
        (one, other) =>
          one.filled.missing - other.filled.missing ||
          other.filled.found - one.filled.found ||
          one.filled.path.length - other.filled.path.length,
      );
    const [best] = candidates;
    if (best === undefined) return undefined;
    const { resourceType, filled } = best;
    return { resourceType, key: { collection: filled.path, id } };
  }
}

/** Members with the location of an operation. */
const SCOPE = /^(zone|region|location)$/;

interface Place {
  readonly resourceType: ResourceType;
  readonly key: ResourceKey;
}

function nameOf(
  { resourceType, key }: Place,
  fields: ReadonlyMap<string, Field>,
): string {
  const { prefix } = resourceType;
  if (prefix === undefined || !fields.has("name")) return key.id;
  return `${key.collection}/${key.id}`.slice(prefix.length);
}

function linkOf(
  resources: Resources,
  { key }: Place,
  { root }: Caller,
): unknown {
  return root === undefined ? undefined : resources.linkOf(key, root);
}

/**
 * Replaces the variables of a pattern with the values that follow the same
 * segments in a path: `projects/{p}/operations` for `projects/a/topics/t` is
 * `projects/a/operations`. A variable without a value is `-`.
 */
function fill(
  pattern: string,
  path: string,
): { readonly path: string; readonly found: number; readonly missing: number } {
  const segments = path.split("/");
  let found = 0;
  let missing = 0;
  const expected = pattern.split("/");
  const filled = expected.map((segment, index) => {
    if (!segment.includes("*")) return segment;
    // The first segment has no segment before it.
    const position = index === 0 ? -1 : segments.indexOf(expected[index - 1]!);
    const isKnown = index === 0 || position !== -1;
    const value = isKnown
      ? segments[position + 1]?.split(":", 1)[0]
      : undefined;
    if (value === undefined) missing++;
    else found++;
    return value ?? "-";
  });
  return { path: filled.join("/"), found, missing };
}
