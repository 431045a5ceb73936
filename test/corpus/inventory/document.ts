/**
 * Declarations of a document, read from its JSON only: the inventory is a valid
 * check only if it shares no code with the generator.
 */

export interface RawNode {
  readonly type?: string;
  readonly $ref?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, RawNode>>;
  readonly additionalProperties?: RawNode;
  readonly items?: RawNode;
  readonly variant?: { readonly map?: readonly { readonly $ref?: string }[] };
  readonly required?: unknown;
  readonly readOnly?: boolean;
  readonly repeated?: boolean;
}

export interface RawMethod {
  readonly id?: string;
  readonly path: string;
  readonly httpMethod: string;
  readonly apiVersion?: string;
  readonly parameters?: Readonly<Record<string, RawNode>>;
  readonly parameterOrder?: readonly string[];
  readonly request?: RawNode;
  readonly response?: RawNode;
  readonly scopes?: readonly string[];
  readonly supportsMediaDownload?: boolean;
  readonly mediaUpload?: {
    readonly accept?: readonly string[];
    readonly maxSize?: string;
    readonly protocols?: Readonly<
      Record<
        "simple" | "resumable",
        { readonly path?: string; readonly multipart?: boolean } | undefined
      >
    >;
  };
}

export interface RawResource {
  readonly methods?: Readonly<Record<string, RawMethod>>;
  readonly resources?: Readonly<Record<string, RawResource>>;
}

export interface RawDocument extends RawResource {
  readonly name: string;
  readonly version: string;
  readonly rootUrl: string;
  readonly servicePath: string;
  readonly batchPath?: string;
  readonly fullyEncodeReservedExpansion?: boolean;
  readonly parameters?: Readonly<Record<string, RawNode>>;
  readonly schemas?: Readonly<Record<string, RawNode>>;
  readonly auth?: {
    readonly oauth2?: { readonly scopes?: Readonly<Record<string, unknown>> };
  };
}

/** A method with the names that lead to it. */
export interface PlacedMethod {
  readonly resource: readonly string[];
  readonly name: string;
  readonly raw: RawMethod;
}

/** Returns all methods of a document, those of the API itself first. */
export function methodsOf(
  resource: RawResource,
  at: readonly string[] = [],
): PlacedMethod[] {
  return [
    ...Object.entries(resource.methods ?? {}).map(([name, raw]) => ({
      resource: at,
      name,
      raw,
    })),
    ...Object.entries(resource.resources ?? {}).flatMap(([name, child]) =>
      methodsOf(child, [...at, name]),
    ),
  ];
}

/** Returns the names of the variables of a URI template. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap(([, list]) =>
    list!.split(",").map((name) => name.replace(/\*$|:\d+$/, "")),
  );
}

/** Returns the required parameters of a call. */
export function requiredParameters(raw: RawMethod): Set<string> {
  return new Set([
    ...variablesOf(raw.path),
    ...(raw.parameterOrder ?? []),
    ...Object.entries(raw.parameters ?? {})
      .filter(([, parameter]) => parameter.required === true)
      .map(([name]) => name),
  ]);
}

/** Returns the scopes that the document declares or a method lists. */
export function scopesOf(document: RawDocument): Set<string> {
  return new Set([
    ...Object.keys(document.auth?.oauth2?.scopes ?? {}),
    ...methodsOf(document).flatMap(({ raw }) => raw.scopes ?? []),
  ]);
}

/** Numbers of declarations of documents, by kind. */
export interface Counts {
  methods: number;
  parameters: number;
  commonParameters: number;
  schemas: number;
  properties: number;
  enums: number;
  enumValues: number;
  readOnlyProperties: number;
  scopes: number;
}

/** Counts the declarations of documents. */
export function count(documents: readonly RawDocument[]): Counts {
  const counts: Counts = {
    methods: 0,
    parameters: 0,
    commonParameters: 0,
    schemas: 0,
    properties: 0,
    enums: 0,
    enumValues: 0,
    readOnlyProperties: 0,
    scopes: 0,
  };
  for (const document of documents) {
    const common = Object.values(document.parameters ?? {});
    const own = methodsOf(document).flatMap(({ raw }) =>
      Object.values(raw.parameters ?? {}),
    );
    const schemas = Object.values(document.schemas ?? {});
    counts.methods += methodsOf(document).length;
    counts.parameters += own.length;
    counts.commonParameters += common.length;
    counts.schemas += schemas.length;
    counts.scopes += scopesOf(document).size;
    for (const node of [...common, ...own, ...schemas]) countNode(node, counts);
  }
  return counts;
}

function countNode(node: RawNode, counts: Counts): void {
  if (node.$ref !== undefined) return;
  if (node.enum !== undefined) {
    counts.enums++;
    counts.enumValues += node.enum.length;
  }
  for (const property of Object.values(node.properties ?? {})) {
    counts.properties++;
    if (property.readOnly === true) counts.readOnlyProperties++;
    countNode(property, counts);
  }
  if (node.items !== undefined) countNode(node.items, counts);
  if (node.additionalProperties !== undefined)
    countNode(node.additionalProperties, counts);
}
