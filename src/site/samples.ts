import { shellQuote } from "../platform/shell-quote.js";

/**
 * Sample requests in several languages. The pages contain the curl call; their
 * script prints the other languages, also with the values of a form, from the same
 * functions. This module therefore uses only what browsers have.
 */

/** Request of which samples are printed. Method pages contain it as JSON. */
export interface SampleRequest {
  readonly httpMethod: string;
  /** URL with variables such as `{fileId}` or `{+name}`. */
  readonly url: string;
  /** Names of the required query parameters. */
  readonly query: readonly string[];
  /** Request header with the credential, and the prefix of its value. */
  readonly header?: { readonly name: string; readonly prefix: string };
  /** URLs for uploads, with variables; absent if the method accepts none. */
  readonly upload?: {
    readonly simple?: string;
    readonly resumable?: string;
    readonly isMultipart: boolean;
    readonly type: string;
  };
  /** True if the method has a request body. */
  readonly hasBody: boolean;
  /** True if the response is JSON. */
  readonly hasResponse: boolean;
}

/** Values of parameters by name; others are printed as placeholders. */
export type SampleValues = Readonly<Record<string, readonly string[]>>;

/** Language of a sample, with the function that prints it. */
export interface SampleLanguage {
  readonly id: string;
  readonly title: string;
  readonly print: (
    request: SampleRequest,
    body: string | undefined,
    values: SampleValues,
  ) => string;
}

/** Languages in which requests are printed without a library of the API. */
export const LANGUAGES: readonly SampleLanguage[] = [
  { id: "curl", title: "curl", print: curlSample },
  { id: "python", title: "Python", print: pythonSample },
  { id: "go", title: "Go", print: goSample },
  { id: "node", title: "Node.js", print: nodeSample },
];

/** Returns the placeholder of a parameter, such as `FILE_ID`. */
export function placeholder(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .toUpperCase();
}

/** Returns the URL of a request with values or placeholders. */
export function urlOf(
  request: SampleRequest,
  values: SampleValues = {},
  template: string = request.url,
): string {
  // Parameters can have names such as `constructor`.
  const valuesOf = (name: string): readonly string[] =>
    Object.hasOwn(values, name) ? values[name]! : [];
  const valueOf = (name: string): string => {
    const [value = ""] = valuesOf(name);
    return value === "" ? placeholder(name) : value;
  };
  const path = template.replace(
    /\{(\+?)([^{}]*?)\*?\}/g,
    (_, plus: string, name: string) => {
      const parts = plus === "" ? [valueOf(name)] : valueOf(name).split("/");
      return parts.map(encode).join("/");
    },
  );
  const variables = new Set(
    [...template.matchAll(/\{\+?([^{}]*?)\*?\}/g)].map(([, name]) => name!),
  );
  const names = [...request.query, ...Object.keys(values)];
  const query = [...new Set(names)]
    .filter((name) => !variables.has(name))
    .flatMap((name) => {
      const given = valuesOf(name).filter((value) => value !== "");
      const all = given.length === 0 ? [placeholder(name)] : given;
      return request.query.includes(name) || given.length > 0
        ? all.map((value) => `${encode(name)}=${encode(value)}`)
        : [];
    });
  const url = `${path}${query.length === 0 ? "" : "?"}${query.join("&")}`;
  // Non-ASCII characters, spaces and control characters are percent-encoded,
  // because shells or terminals could misinterpret them.
  return url.replace(/[^\x21-\x7e]+/g, encode);
}

/** Percent-encodes text; lone surrogates, which can't be encoded, become U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

function curlSample(
  request: SampleRequest,
  body: string | undefined,
  values: SampleValues,
): string {
  const text = body ?? "{}";
  const content = [
    "-H 'Content-Type: application/json'",
    `-d ${shellQuote(text)}`,
  ];
  return curl(request, urlOf(request, values), request.hasBody ? content : []);
}

/**
 * Prints curl calls that upload a file, with a title for each upload protocol of
 * the method.
 */
export function uploadSamples(
  request: SampleRequest,
  body: string | undefined,
  values: SampleValues = {},
): readonly (readonly [title: string, code: string])[] {
  const { upload } = request;
  if (upload === undefined) return [];
  const at = (template: string, type: string): string => {
    const url = urlOf(request, values, template);
    return `${url}${url.includes("?") ? "&" : "?"}uploadType=${type}`;
  };
  const metadata = compact(body ?? "{}");
  const contentType = `Content-Type: ${headerText(upload.type)}`;
  const samples: [string, string][] = [];
  if (upload.simple !== undefined) {
    samples.push([
      "Upload without metadata",
      curl(request, at(upload.simple, "media"), [
        `-H ${shellQuote(contentType)}`,
        "--data-binary @FILE",
      ]),
    ]);
    if (upload.isMultipart && request.hasBody)
      samples.push([
        "Upload with metadata (multipart)",
        [
          `printf '%s\\r\\n' --b 'Content-Type: application/json' '' ${shellQuote(metadata)} --b ${shellQuote(contentType)} '' > body`,
          "cat FILE >> body",
          "printf '\\r\\n--b--\\r\\n' >> body",
          curl(request, at(upload.simple, "multipart"), [
            "-H 'Content-Type: multipart/related; boundary=b'",
            "--data-binary @body",
          ]),
        ].join("\n"),
      ]);
  }
  if (upload.resumable !== undefined)
    samples.push([
      "Upload that can be resumed",
      [
        `session=$(${curl(request, at(upload.resumable, "resumable"), [
          "-D - -o /dev/null -s",
          `-H ${shellQuote(`X-Upload-${contentType}`)}`,
          ...(request.hasBody
            ? [
                "-H 'Content-Type: application/json'",
                `-d ${shellQuote(metadata)}`,
              ]
            : []),
        ])} | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')`,
        `curl "$session" -X PUT -H ${shellQuote(contentType)} --data-binary @FILE`,
      ].join("\n"),
    ]);
  return samples;
}

function curl(
  { httpMethod, header }: SampleRequest,
  url: string,
  rest: readonly string[],
): string {
  return [
    `curl ${shellQuote(url)}`,
    ...(httpMethod === "GET" ? [] : [`-X ${shellQuote(httpMethod)}`]),
    ...(header === undefined
      ? []
      : [`-H "${header.name}: ${header.prefix}$TOKEN"`]),
    ...rest,
  ].join(" \\\n  ");
}

function pythonSample(
  request: SampleRequest,
  body: string | undefined,
  values: SampleValues,
): string {
  const { httpMethod, header, hasBody } = request;
  const headers = [
    ...(header === undefined
      ? []
      : [
          `        ${literal(header.name)}: ${literal(header.prefix)} + os.environ["TOKEN"],`,
        ]),
    ...(hasBody ? ['        "Content-Type": "application/json",'] : []),
  ];
  return [
    ...(hasBody ? ["import json"] : []),
    ...(header === undefined ? [] : ["import os"]),
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${literal(urlOf(request, values))},`,
    `    method=${literal(httpMethod)},`,
    ...(headers.length === 0 ? [] : ["    headers={", ...headers, "    },"]),
    ...(hasBody
      ? [`    data=json.dumps(${pythonValue(parsed(body), "    ")}).encode(),`]
      : []),
    ")",
    "with urllib.request.urlopen(request, timeout=60) as response:",
    "    print(response.read().decode())",
  ].join("\n");
}

function goSample(
  request: SampleRequest,
  body: string | undefined,
  values: SampleValues,
): string {
  const { httpMethod, header, hasBody } = request;
  const text = body ?? "{}";
  const quoted = text.includes("`") ? literal(compact(text)) : `\`${text}\``;
  return [
    "package main",
    "",
    "import (",
    ...['"io"', '"net/http"', '"os"', ...(hasBody ? ['"strings"'] : [])].map(
      (name) => `\t${name}`,
    ),
    ")",
    "",
    "func main() {",
    ...(hasBody ? [`\tbody := strings.NewReader(${quoted})`] : []),
    `\trequest, err := http.NewRequest(${literal(httpMethod)}, ${literal(urlOf(request, values))}, ${hasBody ? "body" : "nil"})`,
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    ...(header === undefined
      ? []
      : [
          `\trequest.Header.Set(${literal(header.name)}, ${literal(header.prefix)}+os.Getenv("TOKEN"))`,
        ]),
    ...(hasBody
      ? ['\trequest.Header.Set("Content-Type", "application/json")']
      : []),
    "\tresponse, err := http.DefaultClient.Do(request)",
    "\tif err != nil {",
    "\t\tpanic(err)",
    "\t}",
    "\tdefer response.Body.Close()",
    "\tio.Copy(os.Stdout, response.Body)",
    "}",
  ].join("\n");
}

function nodeSample(
  request: SampleRequest,
  body: string | undefined,
  values: SampleValues,
): string {
  const { httpMethod, header, hasBody, hasResponse } = request;
  const headers = [
    ...(header === undefined
      ? []
      : [
          `    ${literal(header.name)}: ${literal(header.prefix)} + process.env.TOKEN,`,
        ]),
    ...(hasBody ? ['    "Content-Type": "application/json",'] : []),
  ];
  return [
    `const response = await fetch(${literal(urlOf(request, values))}, {`,
    `  method: ${literal(httpMethod)},`,
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(hasBody
      ? [`  body: JSON.stringify(${indented(jsonText(parsed(body)), "  ")}),`]
      : []),
    "});",
    "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);",
    ...(hasResponse ? ["console.log(await response.json());"] : []),
  ].join("\n");
}

/** Prints a string as a literal of Python, Go and JavaScript, in ASCII. */
export function literal(text: string): string {
  return ascii(JSON.stringify(text));
}

function ascii(json: string): string {
  return json.replace(
    /[^\x0a\x20-\x7e]/g,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function jsonText(value: unknown): string {
  return ascii(JSON.stringify(value, undefined, 2));
}

function pythonValue(value: unknown, margin: string): string {
  const names = new Map<unknown, string>([
    [true, "True"],
    [false, "False"],
    [null, "None"],
  ]);
  const name = names.get(value);
  if (name !== undefined) return name;
  if (typeof value === "string") return literal(value);
  if (typeof value !== "object") return String(value);
  const inner = `${margin}    `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => pythonValue(item, inner))
    : Object.entries(value!).map(
        ([key, item]) => `${literal(key)}: ${pythonValue(item, inner)}`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${margin}${close}`;
}

/** Parses the text of a body; a body that is being edited can be malformed. */
function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? "{}");
  } catch {
    return {};
  }
}

function compact(body: string): string {
  return ascii(JSON.stringify(parsed(body)));
}

function indented(text: string, margin: string): string {
  return text.replaceAll("\n", `\n${margin}`);
}

/** Removes characters that are not allowed in header values. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}
