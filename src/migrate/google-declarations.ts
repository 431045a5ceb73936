/** Names that the declarations define for the checker. */
export const RESPONSE = "MigratedResponse";
export const CLIENT = "MigratedClient";
export const METHOD = "MigratedMethod";

/** Modules of googleapis: the collection, and packages of one API. */
const GOOGLE_MODULE = /^(?:googleapis(?:\/.*)?|@googleapis\/[\w-]+)$/;

/** Modules of errors and types of googleapis. */
const COMMON_MODULES: readonly string[] = ["gaxios", "googleapis-common"];

/** Tests whether a module is googleapis, or a part that declares its types. */
export function isGoogleModule(name: string): boolean {
  return GOOGLE_MODULE.test(name) || COMMON_MODULES.includes(name);
}

/**
 * Returns declarations of googleapis that are sufficient to find clients, calls
 * and responses in code. The package need not be installed, and reading its
 * types would take longer than the migration.
 * @param texts code that is migrated; the names that it uses are declared
 */
export function googleDeclarations(texts: readonly string[]): string {
  const factories = new Set<string>();
  const namespaces = new Map<string, Set<string>>();
  const authTypes = new Set<string>();
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\b([a-z]\w{0,60})\s*\(/g))
      if (!RESERVED.has(name!)) factories.add(name!);
    for (const [, name] of text.matchAll(/\bAuth\.([A-Z]\w{0,60})/g))
      authTypes.add(name!);
    for (const [, name, member] of text.matchAll(
      /\b([a-z][a-z0-9]{0,60}_[a-z]\w{0,40})\b(?:\.([A-Z][\w$]{0,200}))?/g,
    )) {
      const members = namespaces.get(name!) ?? new Set();
      namespaces.set(name!, members);
      if (member !== undefined) members.add(member);
    }
  }
  const factory = (name: string): string =>
    `<V extends string>(options: V | { version: V; [name: string]: any }) => ${CLIENT}<"${name}", V>`;
  return `
export interface ${RESPONSE} { data: any; result: any; status: number; statusText: string; headers: any; config: any; request: any }
export type GaxiosResponse<T = any> = ${RESPONSE};
export type GaxiosResponseWithHTTP2<T = any> = ${RESPONSE};
export type GaxiosPromise<T = any> = Promise<${RESPONSE}>;
export declare class GaxiosError<T = any> extends Error { [name: string]: any }
export * as Common from "googleapis";
interface Plain { call?: never; [name: string]: any }
export interface ${METHOD}<A, V> {
  (parameters?: Plain, options?: Plain): Promise<${RESPONSE}> & { execute(callback: (response: any) => void): void };
  (callback: (error: any, response: ${RESPONSE}) => void): void;
  (parameters: any, callback: (error: any, response: ${RESPONSE}) => void): void;
  (parameters: any, options: any, callback: (error: any, response: ${RESPONSE}) => void): void;
  [name: string]: ${METHOD}<A, V>;
}
export interface ${CLIENT}<A, V> { [name: string]: ${METHOD}<A, V> }
interface Google {
  auth: any; options(options: any): void;
${[...factories].map((name) => `  ${name}: ${factory(name)};`).join("\n")}
}
export declare const google: Google;
export declare const auth: any;
export declare namespace Auth { ${[...authTypes].map((name) => `export type ${name} = any; export const ${name}: any;`).join(" ")} }
declare global { const gapi: Gapi }
interface Gapi { client: GapiClients; [name: string]: any }
type GapiClients = { init(options?: any): Promise<void>; load(...list: any): Promise<void>; [name: string]: any }${[...gapiVersions(texts)].map(([name, version]) => ` & { ${name}: ${CLIENT}<"${name}", "${version}"> }`).join("")};
${[...factories].map((name) => `declare const factory_${name}: ${factory(name)};\nexport { factory_${name} as ${name} };`).join("\n")}
${[...namespaces].map(([name, members]) => namespaceOf(name, members)).join("\n")}
`;
}

/**
 * Returns the versions of the APIs that gapi loads, keyed by name: those of URLs of
 * documents, and of `gapi.client.load("drive", "v3")`.
 */
function gapiVersions(texts: readonly string[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const text of texts) {
    if (!/\bgapi\b/.test(text)) continue;
    for (const pattern of [
      /\/discovery\/v1\/apis\/([a-z]\w{0,60})\/(\w{1,40})\/rest/g,
      /\/\/([a-z]\w{0,60})\.googleapis\.com\/\$discovery\/rest\?version=(\w{1,40})/g,
      /\bclient\.load\(\s*["'`]([a-z]\w{0,60})["'`]\s*,\s*["'`](\w{1,40})["'`]/g,
    ])
      for (const [, name, version] of text.matchAll(pattern))
        versions.set(name!, version!);
  }
  return versions;
}

/**
 * Members of googleapis that are declared on their own, and `then`: `await import()` of
 * a module that exports it has no type.
 */
const RESERVED = new Set(["auth", "google", "options", "then"]);

function namespaceOf(name: string, members: ReadonlySet<string>): string {
  const [api, ...version] = name.split("_");
  const client = `${CLIENT}<"${api}", "${version.join("_")}">`;
  const lines = [...members].map((member) =>
    /^(?:Schema|Params)\$|^Options$/.test(member)
      ? `export type ${member} = any;`
      : member.startsWith("Resource$")
        ? `export type ${member} = ${METHOD}<"${api}", "${version.join("_")}">;`
        : `export type ${member} = ${client}; export const ${member}: new (options?: any) => ${client};`,
  );
  return `export declare namespace ${name} { ${lines.join(" ")} }`;
}
