// Modules that scripts/build.mjs creates from templates/, the schema of
// documents and src/runtime.

declare module "#built/check-document.js" {
  export interface CheckError {
    readonly keyword: string;
    readonly instancePath: string;
    readonly message?: string;
    /**
     * Name of the invalid property; present in errors of the schema keyword
     * `propertyNames`.
     */
    readonly propertyName?: string;
    readonly params: {
      readonly type?: string | readonly string[];
      readonly missingProperty?: string;
      readonly allowedValues?: readonly unknown[];
    };
  }
  const check: {
    (value: unknown): boolean;
    errors?: readonly CheckError[] | null;
  };
  export default check;
}

declare module "#built/templates.js" {
  /**
   * Templates by name, e.g. `client/schemas`: functions of a view and of a
   * function that returns the text of a printed value.
   */
  const templates: Readonly<
    Record<string, (view: object, print: (value: unknown) => string) => string>
  >;
  export default templates;
}

declare module "#built/handlebars-templates.js" {
  /** Templates by name, precompiled by Handlebars. */
  const templates: Readonly<Record<string, unknown>>;
  export default templates;
}

declare module "#built/runtime.js" {
  /** Hash of all generator sources that affect the output. */
  export const fingerprint: string;
  /** Version of the package. */
  export const version: string;
}

declare module "#built/javascript-*.js" {
  /** JavaScript and declarations of a runtime by path. */
  const files: Readonly<Record<string, string>>;
  export default files;
}

declare module "#built/runtime-*.js" {
  /** Sources of a runtime by path. */
  const sources: Readonly<Record<string, string>>;
  export default sources;
}
