import type { RawMethod } from "../load/raw.js";
import { camelCase } from "../model/names.js";
import { callExpression, clientCall, clientProgram } from "./calls.js";
import { methodKey, type MethodFeature } from "./method-features.js";
import { firstSentence, html, type Html } from "./html.js";
import type { JsonView } from "./json-view.js";
import { clientSample, example, methodBadge } from "./method.js";
import { parseMethod, resourcesOf, type MethodView } from "./outline.js";
import type { PageContext } from "./page-context.js";
import { literal } from "./samples.js";

/** Task that methods of an API are for, derived from their features. */
interface Task {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Feature of the methods that the task is for. */
  readonly feature: MethodFeature;
  /** Prints the sample; default: that of the method's page. */
  readonly sample?: typeof clientSample;
}

const TASKS: readonly Task[] = [
  {
    id: "upload",
    title: "Upload a file",
    text: "`media` accepts text, bytes, files and streams. Content of more than 8 MiB, or of unknown size, is sent in chunks and resumed after errors.",
    feature: "accepts uploads",
    // Without metadata, so that the sample shows only the content.
    sample: ({ callContext, features }, names, method) =>
      clientCall(callContext, names, method, {
        features: features.get(methodKey(names)),
      }),
  },
  {
    id: "download",
    title: "Download content",
    text: "`media()` returns the content as a stream, bytes or text.",
    feature: "downloads content",
  },
  {
    id: "list",
    title: "List everything",
    text: "`for await` requests the next page when it is needed; `pages()` yields whole pages.",
    feature: "paged",
  },
  {
    id: "wait",
    title: "Wait for an operation",
    text: "`wait()` polls the operation until it is done, at growing intervals, and throws its error.",
    feature: "long-running",
  },
  {
    id: "watch",
    title: "Watch for changes",
    text: "The server sends a request to your address when the resource changes.",
    feature: "watches changes",
  },
  {
    id: "stream",
    title: "Read a stream",
    text: "`for await` yields each part of the response as it arrives.",
    feature: "streams",
  },
];

/** Maximum number of methods that the page lists for a task. */
const MAX_METHODS = 60;

interface FoundTask extends Omit<Task, "feature"> {
  readonly methods: readonly MethodView[];
}

/** Returns the tasks for which the API has methods. */
export function tasksOf(
  { features }: Pick<PageContext, "features">,
  document: JsonView,
): FoundTask[] {
  const methods = resourcesOf(document).flatMap((one) => one.methods);
  const all: FoundTask[] = TASKS.map(({ feature, ...task }) => ({
    ...task,
    methods: methods.filter(({ names }) =>
      features.get(methodKey(names))?.has(feature),
    ),
  }));
  const hasFields = document.at("parameters", "fields") !== undefined;
  const readers = methods.filter(
    ({ view }) =>
      view.at("httpMethod")?.text() === "GET" &&
      view.at("response") !== undefined,
  );
  if (hasFields)
    all.push({
      id: "fields",
      title: "Get only some fields",
      text: "`fields` selects the members of the response; the type of the result has only these.",
      methods: readers.slice(0, 5),
      sample: (api, names, method) => {
        const mask = `fields: ${literal(maskOf(api, method))}`;
        const call = callExpression(api.callContext, names, method, undefined, [
          mask,
        ]);
        return clientProgram(api.callContext, [
          `const result = await ${call};`,
          "console.log(result);",
        ]);
      },
    });
  const batch = document.at("batchPath")?.text();
  if (batch !== undefined && batch !== "")
    all.push({
      id: "batch",
      title: "Send calls in a batch",
      text: "`batch` sends several calls in one request and returns their results; `batchSettled` returns errors too.",
      methods: readers.slice(0, 1),
      sample: ({ callContext: api }, names, method) => {
        const call = callExpression(api, names, method).replaceAll(
          "\n",
          "\n  ",
        );
        const client = camelCase(api.name);
        return clientProgram(api, [
          `const [first, second] = await ${client}.batch([`,
          `  ${call},`,
          `  ${call},`,
          "]);",
          "console.log(first, second);",
        ]);
      },
    });
  return all.filter((task) => task.methods.length > 0);
}

/** Renders the page with the tasks of an API. */
export function tasksMain(api: PageContext, document: JsonView): Html {
  const tasks = tasksOf(api, document);
  return html`<h1>Tasks with ${api.summary.title}</h1>
    <nav aria-label="Tasks">
      <ul class="schemas">
        ${tasks.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>
    ${tasks.map((task) => section(api, task))}`;
}

function section(api: PageContext, task: FoundTask): Html {
  const { id, title, text, methods, sample = clientSample } = task;
  const first = methods[0]!;
  const program = sample(api, first.names, parseMethod(first));
  const items = methods.slice(0, MAX_METHODS).map(
    ({ names, view }) =>
      html`<li>
        <a href="${api.links.method(api.summary, names)}"
          >${methodBadge({ httpMethod: view.at("httpMethod")?.text() ?? "GET" })}<b
            >${names.join(".")}</b
          ></a
        >
        <span class="what"
          >${firstSentence(view.at("description")?.text())}</span
        >
      </li>`,
  );
  const left = methods.length - items.length;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <p>${codeMarks(text)}</p>
    ${example("Generated client", program, "ts")}
    <ul class="methods">
      ${items}
    </ul>
    ${left > 0 && html`<p>and ${left} more</p>`}
  </section>`;
}

function codeMarks(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Returns a field mask with the first two properties of the response. */
function maskOf({ find }: PageContext, { response }: RawMethod): string {
  const { $ref } = response ?? {};
  const schema = $ref === undefined ? response : find($ref);
  const names = Object.keys(schema?.properties ?? {})
    .filter((name) => /^\w+$/.test(name))
    .slice(0, 2);
  return names.length === 0 ? "*" : names.join(",");
}
