import templates from "#built/templates.js";
import { Code } from "./typescript/code.js";

/**
 * View types by template name. Each target declares the views of its templates
 * in its views.ts and adds them to this interface by declaration merging,
 * because targets import this folder and not the reverse. A view consists of
 * code, flags, lists and objects.
 */
export interface TemplateViews {}

/** Name of a template, for example `client/schemas`. */
export type TemplateName = keyof TemplateViews;

/** Renders a view. `print` returns the text of a printed value. */
export type Template = (
  view: object,
  print: (value: unknown) => string,
) => string;

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
 * Returns the text that {{value}} prints. Templates call this function for
 * each value. Only instances of `Code` are printed. Other values throw, so that
 * unescaped text of a document can't reach the output.
 */
export function printCode(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (value === undefined || value === null || value === false) return "";
  throw new TypeError(
    `the template printed a value that is not code: ${typeof value}`,
  );
}

const packageTemplates: ReadonlyMap<string, Template> = new Map(
  Object.entries(templates),
);

/** Renders views with the package's templates or with those of a user. */
export class Engine {
  readonly #templates: ReadonlyMap<string, Template>;

  /** True if a user replaces templates, which then get complete views. */
  readonly isCustom: boolean;

  /** @param userTemplates all templates by name, if a user replaces some */
  constructor(userTemplates = packageTemplates) {
    this.#templates = userTemplates;
    this.isCustom = userTemplates !== packageTemplates;
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
      return flattened(template(view, printCode));
    } catch (error) {
      throw new TemplateError(name, error);
    }
  }
}

/**
 * Flattens a string. V8 stores a concatenated string as a tree (rope), which
 * takes several times the memory of a flat string until one of its characters
 * is read.
 */
function flattened(text: string): string {
  return Number.isNaN(text.charCodeAt(0)) ? "" : text;
}

/** Returns the names of the package's templates. */
export function templateNames(): string[] {
  return Object.keys(templates);
}
