/** Names that the declarations define for the checker. */
export const RESPONSE = "MigratedResponse";
export const CLIENT = "MigratedClient";
export const METHOD = "MigratedMethod";

/** Modules of googleapis: the collection, and packages of one API. */
export const GOOGLE_MODULE = /^(?:googleapis(?:\/.*)?|@googleapis\/[\w-]+)$/;

/**
 * Returns declarations of googleapis that are sufficient to find clients, calls
 * and responses in code. The package need not be installed, and reading its
 * types would take longer than the migration.
 * @param texts code that is migrated; the names that it uses are declared
 */
export function googleDeclarations(texts: readonly string[]): string {
  const factories = new Set<string>();
  const namespaces = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const [, name] of text.matchAll(/\b([a-z]\w{0,60})\s*\(/g))
      if (!RESERVED.has(name!)) factories.add(name!);
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
export interface ${RESPONSE} { data: any; status: number; statusText: string; headers: any; config: any; request: any }
interface Plain { call?: never; [name: string]: any }
export interface ${METHOD}<A, V> {
  (parameters?: Plain, options?: Plain): Promise<${RESPONSE}>;
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
export declare const Auth: any;
${[...factories].map((name) => `declare const factory_${name}: ${factory(name)};\nexport { factory_${name} as ${name} };`).join("\n")}
${[...namespaces].map(([name, members]) => namespaceOf(name, members)).join("\n")}
`;
}

/** Members of googleapis that are declared on their own. */
const RESERVED = new Set(["auth", "google", "options"]);

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
