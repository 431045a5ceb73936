import { buildMock } from "../../src/mock/index.js";
import type { Api, Method } from "../../src/model/ir.js";
import { methodsOf } from "../../src/model/queries.js";
import { validRequests } from "../services/mock-requests.js";

/** Operations of a document that a mock returned, and those with a defect. */
export interface OperationResults {
  readonly count: number;
  readonly failures: readonly string[];
}

/**
 * Calls each method that starts an operation, in a mock without resources, and
 * fetches the operation by its name.
 */
export async function runOperations(api: Api): Promise<OperationResults> {
  const failures: string[] = [];
  let count = 0;
  const getters = methodsOf(api.root).filter(isGetter);
  const starting = validRequests(api).filter(
    ({ method }) =>
      method.operation !== undefined &&
      method.httpMethod !== "GET" &&
      getters.some((getter) => hasSameResponse(getter, method)),
  );
  if (starting.length === 0) return { count, failures };
  const server = buildMock(api, { seed: "1", strict: false, empty: true });
  const send = async (
    target: string,
    init?: RequestInit,
  ): Promise<{ status: number; text: string }> => {
    const url = `http://mock.test${target}`;
    const response = await server.fetch(new Request(url, init));
    return { status: response.status, text: await response.text() };
  };
  for (const { method, path: target, init } of starting) {
    const started = await send(target, init);
    // The resource of the request does not exist in an empty mock.
    if (started.status === 404) continue;
    count++;
    const fail = (cause: string): unknown =>
      failures.push(`${method.id}: ${cause}`);
    if (started.status !== 200) {
      fail(`${started.status} ${started.text.slice(0, 200)}`);
      continue;
    }
    const operation = JSON.parse(started.text);
    if (operation.error !== undefined) fail("has an error");
    const targets =
      operation.selfLink === undefined
        ? namesOf(operation.name, getters, method).map(
            (one) => `/${api.servicePath}${one}`,
          )
        : [operation.selfLink.replace("http://mock.test", "")];
    const found = await Promise.all(targets.map((one) => send(one)));
    const isFound = found.some(
      ({ status, text: body }) =>
        status === 200 && JSON.parse(body).name === operation.name,
    );
    if (!isFound) fail(`${operation.name} not found at ${targets.join(" ")}`);
  }
  return { count, failures };
}

function isGetter({ httpMethod, name, operation }: Method): boolean {
  return httpMethod === "GET" && name === "get" && operation !== undefined;
}

function hasSameResponse(one: Method, { response }: Method): boolean {
  return (
    response?.kind === "ref" &&
    one.response?.kind === "ref" &&
    one.response.id === response.id
  );
}

/** Paths at which the name of an operation fits the pattern of a getter. */
function namesOf(
  name: string,
  getters: readonly Method[],
  method: Method,
): string[] {
  return getters
    .filter((getter) => hasSameResponse(getter, method))
    .flatMap(({ tokens }) => {
      const last = tokens.at(-1)!;
      if (!("name" in last)) return [];
      const isFit = new RegExp(last.pattern ?? "").test(name);
      const before = tokens
        .slice(0, -1)
        .map((token) => ("text" in token ? token.text : ""))
        .join("");
      const text = last.kind === "multi" ? name : encodeURIComponent(name);
      return isFit ? [before + text] : [];
    });
}
