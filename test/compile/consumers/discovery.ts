import { createDiscovery } from "../../../generated/discovery/v1/index.js";
import type { schemas } from "../../../generated/discovery/v1/index.js";

const discovery = createDiscovery({ parameters: { prettyPrint: false } });

/** Names of the preferred versions. */
export async function preferred(): Promise<string[]> {
  const { items = [] } = await discovery.apis.list({ preferred: true });
  return items.flatMap(({ id }) => id ?? []);
}

/** Ids of all methods of a description; its schemas are recursive. */
export async function methods(api: string, version: string): Promise<string[]> {
  const description = await discovery.apis.getRest({ api, version });
  return [description, ...Object.values(description.resources ?? {})].flatMap(
    methodsOf,
  );
}

function methodsOf({
  methods = {},
  resources = {},
}: schemas.RestResource): string[] {
  return [
    ...Object.values(methods).flatMap(({ id }) => id ?? []),
    ...Object.values(resources).flatMap(methodsOf),
  ];
}

export function mistakes(): unknown[] {
  return [
    // @ts-expect-error `version` is missing
    discovery.apis.getRest({ api: "drive" }),
    // @ts-expect-error a boolean
    discovery.apis.list({ preferred: "yes" }),
    // @ts-expect-error undefined is absent: not for a required parameter
    discovery.apis.getRest({ api: "drive", version: undefined }),
    // @ts-expect-error a GET has no body
    discovery.apis.list({ requestBody: {} }),
  ];
}
