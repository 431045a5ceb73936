import runtime from "handlebars/runtime.js";
import type HandlebarsModule from "handlebars";
import templates from "#built/templates.js";
import { Code } from "./typescript/code.js";

// The package types its runtime entry poorly; it is Handlebars without the compiler.
const Handlebars = runtime as unknown as typeof HandlebarsModule;

/** A rendered template name, e.g. `client/schemas`. */
export type TemplateName = string;

/** What a template may print or test: code, switches, and lists of the same. */
export type View = {
  readonly [key: string]:
    Code | boolean | undefined | View | readonly View[] | readonly Code[];
};

/** Thrown where a template fails; names the template. */
export class TemplateError extends Error {
  constructor(
    readonly template: TemplateName,
    cause: unknown,
  ) {
    super(
      `template ${template}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Handlebars asks this function about every {{value}}. Deny by default: only
 * code made by the helpers of this folder is printed, anything else throws.
 */
function printCode(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value === undefined || value === null || value === false) return "";
  throw new TypeError(`a template printed a ${typeof value} that is not code`);
}

Handlebars.Utils.escapeExpression =
  printCode as typeof Handlebars.Utils.escapeExpression;

/** Renders views through the templates of the package, or a user's in their place. */
export class Engine {
  readonly #handlebars = Handlebars.create();
  readonly #compiled = new Map<TemplateName, (view: View) => string>();

  /** @param overrides precompiled templates by name, in place of the package's */
  constructor(overrides: ReadonlyMap<TemplateName, unknown> = new Map()) {
    for (const name of Object.keys(templates)) {
      const specification = overrides.get(name) ?? templates[name];
      const compiled = this.#handlebars.template(specification as never) as (
        view: View,
      ) => string;
      this.#compiled.set(name, compiled);
      this.#handlebars.registerPartial(name, compiled as never);
    }
  }

  /** Fills a template. Throws TemplateError. */
  render(name: TemplateName, view: View): string {
    const template = this.#compiled.get(name);
    if (template === undefined) throw new TemplateError(name, "does not exist");
    try {
      return template(view);
    } catch (error) {
      throw new TemplateError(name, error);
    }
  }
}

/** Names of the package's templates. */
export function templateNames(): TemplateName[] {
  return Object.keys(templates);
}
