import type { Sink } from "../../diagnostics/sink.js";
import type { Api, Method, Parameter } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";

/**
 * Properties that the generator adds to the object with the parameters of a
 * call.
 */
const RESERVED_PROPERTIES = ["requestBody", "media"];

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Returns a map from the name of a parameter to its new property name, for
 * parameters whose name is in `RESERVED_PROPERTIES`.
 * @param otherNames returns additional names that the new names must differ
 *   from
 */
export function renamedProperties(
  parameters: readonly Parameter[],
  otherNames: () => readonly string[] = () => [],
): ReadonlyMap<string, string> {
  const clashing = parameters.filter(({ name }) =>
    RESERVED_PROPERTIES.includes(name),
  );
  if (clashing.length === 0) return NONE;
  const names = parameters.map(({ name }) => name);
  const scope = new NameScope([
    ...RESERVED_PROPERTIES,
    ...otherNames(),
    ...names,
  ]);
  return new Map(
    clashing.map(({ name }) => [name, scope.reserve(`${name}_`)] as const),
  );
}

/**
 * Returns a map from the name of a common parameter to its new property name,
 * for common parameters that are renamed. Also reports the renamed parameters
 * of all methods.
 */
export function nameCommonParameters(
  api: Api,
  methods: readonly Method[],
  sink: Sink,
): ReadonlyMap<string, string> {
  const common = renamedProperties(api.parameters, () =>
    methods.flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  );
  reportRenamed(common, "", sink);
  for (const { parameters, pointer } of methods)
    reportRenamed(renamedProperties(parameters), pointer, sink);
  return common;
}

function reportRenamed(
  names: ReadonlyMap<string, string>,
  pointer: string,
  sink: Sink,
): void {
  for (const [wire, property] of names)
    sink.report(
      "name-changed",
      `parameter ${wire} has the property name ${property}`,
      `${pointer}/parameters/${wire}`,
    );
}
