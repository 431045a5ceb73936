import templates from "#built/templates.js";
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

/** Renders a view. The template calls `print` to convert each value to text. */
export type Template = (
  view: object,
  print: (value: unknown) => string,
) => string;

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

const packageTemplates: ReadonlyMap<string, Template> = new Map(
  Object.entries(templates),
);

/** Renders views with the package's templates or with a user's templates. */
export class Engine {
  readonly #templates: ReadonlyMap<string, Template>;

  /** True if a user's templates replace some of the package's templates. */
  readonly isCustom: boolean;

  /**
   * @param userTemplates all templates, keyed by name; some of them can be a
   *   user's. Default: the package's templates
   */
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
