import runtime from "handlebars/runtime.js";
import type HandlebarsModule from "handlebars";
import templates from "#built/templates.js";
import { Code } from "./typescript/code.js";

// The imported module is Handlebars without its compiler. The type declarations
// do not have this form.
const Handlebars = runtime as unknown as typeof HandlebarsModule;

/**
 * View types by template name. Each target declares the views of its templates
 * in its views.ts and adds them to this interface by declaration merging,
 * because targets import this folder and not the reverse. A view consists of
 * code, flags, lists and objects.
 */
export interface TemplateViews {}

/** Name of a template, for example `client/schemas`. */
export type TemplateName = keyof TemplateViews;

type Template = (view: object) => string;

/**
 * Error of a template that could not be rendered. The message contains the name
 * of the template.
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
 * Returns the text that `{{value}}` prints. Handlebars calls this function for
 * each value. Values that are not instances of `Code` throw an error, so that
 * unescaped text from a document can't reach the output.
 */
function printCode(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value === undefined || value === null || value === false) return "";
  throw new TypeError(
    `the template printed a value that is not code: ${typeof value}`,
  );
}

Handlebars.Utils.escapeExpression =
  printCode as typeof Handlebars.Utils.escapeExpression;

/**
 * Template engine with the built-in templates, which templates of the user can
 * replace.
 */
export class Engine {
  readonly #handlebars = Handlebars.create();
  readonly #templates = new Map<string, Template>();

  /**
   * @param overrides precompiled templates by name, which replace built-in
   *   templates
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

  /** Renders a template with its view. Throws TemplateError if that fails. */
  render<Name extends TemplateName>(
    name: Name,
    view: TemplateViews[Name],
  ): string {
    const template = this.#templates.get(name);
    if (template === undefined)
      throw new TemplateError(name, "the template does not exist");
    try {
      return template(view);
    } catch (error) {
      throw new TemplateError(name, error);
    }
  }
}

/** Returns the names of the built-in templates. */
export function templateNames(): string[] {
  return Object.keys(templates);
}
