// Baseline of a generator: start, read, JSON.parse, join strings to the size of
// the generator's output, write one file for each document.
// Usage: node floor.mjs <out> <bytes.json> <document>...
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const [out, sizes, ...documents] = process.argv.slice(2);
const bytes = JSON.parse(readFileSync(sizes, "utf8"));
mkdirSync(out, { recursive: true });

function typeOf(schema) {
  if (schema.$ref) return schema.$ref;
  if (schema.type === "array") return `${typeOf(schema.items ?? {})}[]`;
  if (schema.properties)
    return `{ ${Object.keys(schema.properties)
      .map((key) => `"${key}"?: ${typeOf(schema.properties[key])};`)
      .join(" ")} }`;
  return schema.type === "integer" ? "number" : (schema.type ?? "unknown");
}

function emit(document) {
  let text = "";
  for (const [name, schema] of Object.entries(document.schemas ?? {})) {
    text += `/** ${schema.description ?? ""} */\nexport interface ${name} {\n`;
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      text += `  /** ${property.description ?? ""} */\n  "${key}"?: ${typeOf(property)};\n`;
    }
    text += "}\n";
  }
  const visit = (resource) => {
    for (const method of Object.values(resource.methods ?? {})) {
      text += `/** ${method.description ?? ""} */\nexport interface ${method.id}Parameters {\n`;
      for (const [key, parameter] of Object.entries(method.parameters ?? {})) {
        text += `  /** ${parameter.description ?? ""} */\n  "${key}"?: ${typeOf(parameter)};\n`;
      }
      text += `}\nexport function ${method.id}(parameters: ${method.id}Parameters) { return call("${method.httpMethod}", "${method.path}", parameters); }\n`;
    }
    Object.values(resource.resources ?? {}).forEach(visit);
  };
  visit(document);
  return text;
}

for (const file of documents) {
  const name = path.basename(file);
  let text = emit(JSON.parse(readFileSync(file, "utf8")));
  const wanted = bytes[name] ?? text.length;
  text =
    text.length < wanted
      ? text +
        text
          .slice(0, 1024)
          .repeat(Math.ceil((wanted - text.length) / 1024))
          .slice(0, wanted - text.length)
      : text.slice(0, wanted);
  writeFileSync(path.join(out, `${name}.ts`), text);
}
