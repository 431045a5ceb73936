// Modules that scripts/build.mjs creates from templates/, from the JSON Schema
// of description documents, and from src/runtime.

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
      readonly limit?: number;
    };
  }
  const check: {
    (value: unknown): boolean;
    errors?: readonly CheckError[] | null;
  };
  export default check;
}

declare module "#built/templates.js" {
  /** Templates that Handlebars has precompiled, keyed by name. */
  const templates: Readonly<Record<string, TemplateSpecification>>;
  export default templates;
}

declare module "#built/runtime.js" {
  /** Hash of all generator sources that affect the output. */
  export const fingerprint: string;
  /** Version of the package. */
  export const version: string;
}

declare module "#built/runtime-*.js" {
  /** Sources of a runtime, keyed by path. */
  const sources: Readonly<Record<string, string>>;
  export default sources;
}

declare module "handlebars/runtime.js" {
  import Handlebars from "handlebars";
  export default Handlebars;
}
