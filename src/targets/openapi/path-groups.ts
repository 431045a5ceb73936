import { hasUploadProtocol } from "../../model/bodies.js";
import type { Api, Method, Resource } from "../../model/ir.js";
import {
  methodPath,
  printPath,
  structureOf,
  uploadPath,
  variablesIn,
  type PathTemplate,
  type PathVariable,
} from "./path-templates.js";

/**
 * HTTP request of a method: a call or an upload. The two kinds of requests have
 * separate paths.
 */
export interface Request {
  readonly method: Method;
  readonly resource: Resource;
  readonly kind: "call" | "upload";
  readonly template: PathTemplate;
}

/** Request with the names of its path variables in the output. */
export interface NamedRequest extends Request {
  readonly variables: readonly PathVariable[];
}

/** Requests whose paths differ at most in the names of variables. */
export interface PathGroup {
  readonly path: string;
  /** Requests, keyed by HTTP method in lower case. */
  readonly operations: ReadonlyMap<string, NamedRequest>;
  /**
   * Requests that can't be operations of this path, because OpenAPI does not
   * support their HTTP method or another request already uses it.
   */
  readonly others: readonly NamedRequest[];
}

/** HTTP methods that OpenAPI 3.1 supports. */
const VERBS: ReadonlySet<string> = new Set(
  "get put post delete options head patch trace".split(" "),
);

/**
 * Groups the requests of an API by path. OpenAPI does not allow two paths that
 * differ only in the names of variables, so all requests in a group use the
 * most frequent list of variable names.
 */
export function groupPaths(api: Api): PathGroup[] {
  const groups = new Map<string, Request[]>();
  for (const request of requestsOf(api.root, api)) {
    const key = structureOf(request.template);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }
  return [...groups.values()].map(groupOf);
}

function requestsOf(resource: Resource, api: Api): Request[] {
  const own = resource.methods.flatMap((method): Request[] => {
    const template = methodPath(method, api);
    const call = { method, resource, kind: "call", template } as const;
    const upload = hasUploadProtocol(method.upload)
      ? uploadPath(method)
      : undefined;
    return upload === undefined
      ? [call]
      : [call, { method, resource, kind: "upload", template: upload }];
  });
  return [
    ...own,
    ...resource.children.flatMap((child) => requestsOf(child, api)),
  ];
}

function groupOf(requests: readonly Request[]): PathGroup {
  const names = frequentNames(requests);
  const operations = new Map<string, NamedRequest>();
  const others: NamedRequest[] = [];
  for (const request of requests) {
    const variables = variablesIn(request.template).map((variable, index) => ({
      ...variable,
      name: names[index]!,
    }));
    const verb = request.method.httpMethod.toLowerCase();
    const named = { ...request, variables };
    if (!VERBS.has(verb) || operations.has(verb)) others.push(named);
    else operations.set(verb, named);
  }
  const path = printPath(requests[0]!.template, (_, index) => names[index]!);
  return { path, operations, others };
}

/**
 * Returns the most frequent list of variable names. If several lists are
 * equally frequent, returns the first one.
 */
function frequentNames(requests: readonly Request[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { template } of requests) {
    const key = JSON.stringify(variablesIn(template).map(({ name }) => name));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [best] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  return JSON.parse(best) as string[];
}
