import runtime from "handlebars/runtime.js";
import type HandlebarsModule from "handlebars";
import templates from "#built/templates.js";
import { Code } from "./typescript/code.js";

// The import is Handlebars without the compiler, which its type declarations do
// not express.
const Handlebars = runtime as unknown as typeof HandlebarsModule;

/**
 * View types by template name. Each target declares the views of its templates
 * in its views.ts and adds them to this interface by declaration merging, since
 * targets import this folder and not the reverse. A view contains code, flags,
 * and lists and objects of code and flags.
 */
export interface TemplateViews {}

/** Name of a template, for example `client/schemas`. */
export type TemplateName = keyof TemplateViews;

type Template = (view: object) => string;

/**
 * Error of a template that failed to render. The message contains the name of
 * the template.
 */
export class TemplateError extends Error {
  constructor(
    readonly template: string,
    cause: unknown,
  ) {
    super(
      `template ${template}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Returns the text that {{value}} prints. Handlebars calls this function for
 * each value. Only instances of `Code` are printed. Other values throw, so that
 * unescaped text of a document can't reach the output.
 */
function printCode(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value === undefined || value === null || value === false) return "";
  throw new TypeError(`printed value is not code: ${typeof value}`);
}

Handlebars.Utils.escapeExpression =
  printCode as typeof Handlebars.Utils.escapeExpression;

/** Renders views with the package's templates or with a user's overrides. */
export class Engine {
  readonly #handlebars = Handlebars.create();
  readonly #templates = new Map<string, Template>();

  /**
   * @param overrides precompiled templates by name, which replace the package's
   */
  constructor(overrides: ReadonlyMap<string, unknown> = new Map()) {
    for (const name of Object.keys(templates)) {
      const specification = overrides.get(name) ?? templates[name];
      const template: Template = this.#handlebars.template(
        specification as never,
      );
      this.#templates.set(name, template);
      this.#handlebars.registerPartial(name, template as never);
    }
  }

  /** Renders a template with its view. Throws TemplateError. */
  render<Name extends TemplateName>(
    name: Name,
    view: TemplateViews[Name],
  ): string {
    const template = this.#templates.get(name);
    if (template === undefined) throw new TemplateError(name, "does not exist");
    try {
      return template(view);
    } catch (error) {
      throw new TemplateError(name, error);
    }
  }
}

/** Returns the names of the package's templates. */
export function templateNames(): string[] {
  return Object.keys(templates);
}
