import type { Interceptor } from "../client/options.js";
import type { ApiRequest } from "../client/request.js";
import type { Call } from "../server/call.js";
import { rulesOf, setProperty } from "./parameters.js";
import type { MethodTester } from "./method-tester.js";

/**
 * Function that converts a request to an equivalent request in a different
 * format.
 */
type Rewrite = (request: ApiRequest) => ApiRequest;

/**
 * Checks that the server accepts alternative formats of parameters: lists in a
 * single value, such as `?id=1,2`, and parameters in the request body.
 */
export async function checkForms(tester: MethodTester): Promise<void> {
  const { method } = tester.context;
  const own = Object.entries(method.parameters ?? {});
  for (const [name, spec] of own)
    for (const form of rulesOf(spec).forms ?? [])
      await checkForm(tester, `list with ${form}`, (request) =>
        withQuery(request, (query) => rewriteList(query, name, form)),
      );
  for (const type of method.forms ?? [])
    await checkForm(tester, `parameters as ${type}`, (request) =>
      inBody(request, type),
    );
}

async function checkForm(
  tester: MethodTester,
  step: string,
  change: Rewrite,
): Promise<void> {
  const { recorder, method } = tester.context;
  await tester.attempt(step, async () => {
    const input = tester.makeInput(step, false);
    const response = tester.makeResponse(step);
    let received: Call | undefined;
    recorder.on(method.id, (call) => {
      received = call;
      return response;
    });
    const layer: Interceptor = (request, next) => next(change(request));
    const options = { interceptors: [layer] };
    await (tester.begin(input, {}, options) as Promise<unknown>);
    tester.compareCall(step, input, received!);
  });
}

function withQuery(
  request: ApiRequest,
  change: (query: URLSearchParams) => void,
): ApiRequest {
  const url = new URL(request.url);
  change(url.searchParams);
  return { ...request, url: url.href };
}

function rewriteList(
  query: URLSearchParams,
  name: string,
  form: "comma" | "brackets",
): void {
  const values = query.getAll(name);
  query.delete(name);
  if (form === "comma") query.set(name, values.join(","));
  else for (const value of values) query.append(`${name}[]`, value);
}

/** Moves the query parameters to the body. The body is JSON or an HTML form. */
function inBody(request: ApiRequest, type: string): ApiRequest {
  const { searchParams, href } = new URL(request.url);
  const members: Record<string, string> = {};
  searchParams.forEach((value, name) => setProperty(members, name, value));
  const body = type.endsWith("json")
    ? JSON.stringify(members)
    : searchParams.toString();
  const own: Readonly<Record<string, string>> = request.init.headers;
  const headers = { ...own, "content-type": type };
  return {
    ...request,
    url: href.replace(/\?[^]*/, ""),
    init: { ...request.init, body, headers },
  };
}
