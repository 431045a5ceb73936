import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import Handlebars from "handlebars";
import { Sink } from "../diagnostics/sink.js";
import { suggestion } from "../diagnostics/closest.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { hash } from "../platform/hash.js";
import { templateNames, type Templates } from "./engine.js";

/** A user's compiled templates and a hash of their sources. */
export interface UserTemplates {
  readonly templates: Templates;
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
  const templates: Record<string, TemplateSpecification> = {};
  const sources: string[] = [];
  for (const name of listTemplates(folder, sink)) {
    const source = read(folder, name, sink);
    if (source === undefined) continue;
    sources.push(name, source);
    const compiled = compile(name, source, sink);
    if (compiled !== undefined) templates[name] = compiled;
  }
  return sink.hasErrors
    ? { diagnostics: sink.diagnostics }
    : { templates, fingerprint: hash(JSON.stringify(sources)) };
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
function compile(
  name: string,
  source: string,
  sink: Sink,
): TemplateSpecification | undefined {
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
    return new Function(`return ${code}`)() as TemplateSpecification;
  } catch (error) {
    sink.report("template-invalid", `${name}.hbs: ${(error as Error).message}`);
    return undefined;
  }
}
