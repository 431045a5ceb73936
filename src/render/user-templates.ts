import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import Handlebars from "handlebars";
import { Sink } from "../diagnostics/sink.js";
import { suggestion } from "../diagnostics/closest.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { hash } from "../platform/hash.js";
import { printCode, templateNames, type Template } from "./engine.js";
import precompiled from "#built/handlebars-templates.js";

/**
 * The user's templates, the built-in templates that they do not replace, and a
 * hash of the sources of the user's templates.
 */
export interface UserTemplates {
  readonly templates: ReadonlyMap<string, Template>;
  readonly fingerprint: string;
}

/**
 * Reads the templates in a folder. Each template replaces the built-in template
 * of the same name.
 */
export function readUserTemplates(
  folder: string,
): UserTemplates | { readonly diagnostics: readonly Diagnostic[] } {
  const sink = new Sink(folder);
  const templates = new Map<string, unknown>();
  const sources: string[] = [];
  for (const name of listTemplates(folder, sink)) {
    const source = read(folder, name, sink);
    if (source === undefined) continue;
    sources.push(name, source);
    const compiled = compile(name, source, sink);
    if (compiled !== undefined) templates.set(name, compiled);
  }
  return sink.hasErrors
    ? { diagnostics: sink.diagnostics }
    : {
        templates: renderers(templates),
        fingerprint: hash(JSON.stringify(sources)),
      };
}

/**
 * Returns a render function for each template. All templates are registered in
 * the same Handlebars environment, because the user's templates and the
 * built-in templates can include each other.
 */
function renderers(
  replaced: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Template> {
  Handlebars.Utils.escapeExpression =
    printCode as typeof Handlebars.Utils.escapeExpression;
  const handlebars = Handlebars.create();
  const templates = new Map<string, Template>();
  for (const name of templateNames()) {
    const specification = replaced.get(name) ?? precompiled[name];
    const template = handlebars.template<object>(specification as never);
    templates.set(name, (view) => template(view));
    handlebars.registerPartial(name, template);
  }
  return templates;
}

function read(folder: string, name: string, sink: Sink): string | undefined {
  try {
    return readFileSync(path.join(folder, `${name}.hbs`), "utf8");
  } catch (error) {
    sink.report("template-invalid", `${name}.hbs: ${(error as Error).message}`);
    return undefined;
  }
}

function listTemplates(folder: string, sink: Sink): string[] {
  const known = templateNames();
  let names: string[];
  try {
    names = walk(folder, "");
  } catch (error) {
    const { message } = error as Error;
    sink.report(
      "template-unknown",
      `the templates folder can't be read: ${message}`,
    );
    return [];
  }
  for (const name of names) {
    if (!known.includes(name))
      sink.report(
        "template-unknown",
        `${name}.hbs does not match the name of a built-in template${suggestion(name, known)}; expected one of ${known.join(", ")}`,
      );
  }
  return names.filter((name) => known.includes(name));
}

function walk(folder: string, prefix: string): string[] {
  return readdirSync(path.join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) return walk(folder, name);
      return name.endsWith(".hbs") ? [name.slice(0, -4)] : [];
    });
}

/**
 * Compiles a template with the settings of the built-in templates. If the
 * template is invalid or prints unescaped values, reports an error and returns
 * undefined.
 */
function compile(name: string, source: string, sink: Sink): unknown {
  if (/\{\{~?[{&]/.test(source)) {
    sink.report(
      "template-invalid",
      `${name}.hbs prints a value without escaping it`,
    );
    return undefined;
  }
  try {
    const code = Handlebars.precompile(source, {
      knownHelpersOnly: true,
      preventIndent: true,
    }) as string;
    return new Function(`return ${code}`)() as unknown;
  } catch (error) {
    sink.report("template-invalid", `${name}.hbs: ${(error as Error).message}`);
    return undefined;
  }
}
