import templates from "#built/templates.js";
import Handlebars from "handlebars/runtime.js";
import { joined } from "./typescript/joined.js";
import { Code } from "./typescript/code.js";

/**
 * Map from template name to the type of the template's view. A view is the
 * object that a template renders; it consists of code, flags, lists and
 * objects. Each target declares the views of its templates in its views.ts and
 * adds them to this interface by declaration merging, because targets import
 * this folder and not the reverse.
 */
export interface TemplateViews {}

/** Name of a template, for example `client/schemas`. */
export type TemplateName = keyof TemplateViews;

/**
 * Error for a template that could not be rendered. The message contains the
 * name of the template.
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
 * Returns the text that a template prints for the tag `{{value}}`. Throws for a
 * string or number, so that unescaped text from a document can't reach the
 * output; only instances of `Code` contain escaped text.
 */
export function printCode(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value === undefined || value === null || value === false) return "";
  throw new TypeError(
    `the template printed an unescaped value of type ${typeof value}`,
  );
}

// Handlebars calls this function for each tag `{{value}}`.
Handlebars.Utils.escapeExpression =
  printCode as typeof Handlebars.Utils.escapeExpression;

/** Compiled templates, keyed by name. */
export type Templates = Readonly<Record<string, TemplateSpecification>>;

/** Renders views with the package's templates or with a user's templates. */
export class Engine {
  readonly #templates = new Map<string, HandlebarsTemplateDelegate<object>>();

  /** True if a user's templates replace some of the package's templates. */
  readonly isCustom: boolean;

  /** @param userTemplates templates that replace the package's of the same name */
  constructor(userTemplates: Templates = {}) {
    this.isCustom = Object.keys(userTemplates).length > 0;
    const handlebars = Handlebars.create();
    const all = { ...templates, ...userTemplates };
    for (const [name, specification] of Object.entries(all)) {
      const template = handlebars.template<object>(specification);
      handlebars.registerPartial(name, template);
      this.#templates.set(name, template);
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
      return joined(template(view));
    } catch (error) {
      throw new TemplateError(name, error);
    }
  }
}

/** Returns the names of the package's templates. */
export function templateNames(): string[] {
  return Object.keys(templates);
}
