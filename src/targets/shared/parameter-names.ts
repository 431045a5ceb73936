import type { Sink } from "../../diagnostics/sink.js";
import type { Api, Method, Parameter } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";

/** Properties of a call's parameter object that the document does not declare. */
const RESERVED_PROPERTIES = ["requestBody", "media"];

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Returns property names by wire name, for parameters with a reserved name.
 * @param otherNames returns further names of the same object
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

/** Returns the renamed common parameters; reports the renamed ones of all methods, too. */
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
      `parameter ${wire} is the property ${property}`,
      `${pointer}/parameters/${wire}`,
    );
}
