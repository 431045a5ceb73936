import { NameScope } from "../../model/names.js";
import { jsonObject, type JsonObject } from "../json-schema/json.js";
import type { NamedRequest } from "./path-groups.js";

/**
 * Names of operations in the SDKs that Speakeasy and Fern generate. They are
 * the names of the resources and methods, so that calls in these SDKs have a
 * form such as `drive.files.list()`.
 */
export class SdkNames {
  // Names are unique in each group, because Speakeasy and Fern reject two
  // methods with the same name in a group.
  readonly #names = new NameScope();

  /**
   * Returns the extensions that contain the group and the name of an operation.
   */
  extensions({ method, kind, resource }: NamedRequest): JsonObject {
    const group = resource.path.map(segment);
    const preferred = kind === "upload" ? `${method.name}Upload` : method.name;
    const prefix = group.map((name) => `${name}.`).join("");
    const name = this.#names
      .reserve(`${prefix}${segment(preferred)}`)
      .slice(prefix.length);
    // In Speakeasy's extension, nested groups are separated by dots; in Fern's,
    // they are a list. A method without a group becomes a method of the SDK's
    // client.
    const hasGroup = group.length > 0;
    return jsonObject({
      "x-speakeasy-group": hasGroup ? group.join(".") : undefined,
      "x-speakeasy-name-override": name,
      "x-fern-sdk-group-name": hasGroup ? group : undefined,
      "x-fern-sdk-method-name": name,
    });
  }
}

/** Replaces characters that are not allowed in identifiers. */
function segment(name: string): string {
  return name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
}
