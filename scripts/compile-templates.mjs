// Compiles the package's templates to functions that concatenate strings. They
// print the same as Handlebars (test/unit/render/views.test.ts compares them) in a
// third of the time, since nothing is looked up or called by name. Handlebars
// itself is loaded only for templates of users.
import Handlebars from "handlebars";

/**
 * Returns the code of a module that exports the templates by name: functions of
 * a view and of `print`, which returns the text of a value.
 * @param sources texts of templates by name
 */
export function compileTemplates(sources) {
  const names = [...sources.keys()];
  const functions = names.map((name, index) => {
    const { body } = Handlebars.parse(sources.get(name));
    const compiler = new Compiler(name, (partial) => names.indexOf(partial));
    return `function t${index}(c0,p){let o="";${compiler.statements(body, "c0")}return o}`;
  });
  const entries = names.map(
    (name, index) => `${JSON.stringify(name)}:t${index}`,
  );
  return `${functions.join("\n")}
function hasItems(v){return Array.isArray(v)&&v.length>0}
function isSet(v){return Array.isArray(v)?v.length>0:v!==undefined&&v!==null&&v!==false&&v!==""&&v!==0}
export default {${entries.join(",")}};
`;
}

/** Compiler of one template. Throws for syntax that our templates don't use. */
class Compiler {
  #variables = 0;

  constructor(name, indexOf) {
    this.name = name;
    this.indexOf = indexOf;
  }

  statements(body, view) {
    return body.map((node) => this.#statement(node, view)).join("");
  }

  #statement(node, view) {
    switch (node.type) {
      case "ContentStatement":
        return node.value === "" ? "" : `o+=${JSON.stringify(node.value)};`;
      case "CommentStatement":
        return "";
      case "MustacheStatement":
        this.#refuse(
          node.params.length > 0 || node.hash || !node.escaped,
          node,
        );
        return `o+=p(${this.#path(node.path, view)});`;
      case "PartialStatement":
        return this.#partial(node, view);
      case "BlockStatement":
        return this.#block(node, view);
      default:
        return this.#refuse(true, node);
    }
  }

  #partial(node, view) {
    const index = this.indexOf(node.name.original);
    this.#refuse(index < 0 || node.params.length > 0 || node.hash, node);
    return `o+=t${index}(${view},p);`;
  }

  #block(node, view) {
    const [argument] = node.params;
    const isSupported = node.params.length === 1 && !node.hash;
    this.#refuse(!isSupported || node.program?.blockParams, node);
    const value = this.#path(argument, view);
    const id = ++this.#variables;
    const main = (inner) => this.statements(node.program?.body ?? [], inner);
    const otherwise = this.statements(node.inverse?.body ?? [], view);
    const tail = otherwise === "" ? "" : `else{${otherwise}}`;
    switch (node.path.original) {
      case "if":
        return `if(isSet(${value})){${main(view)}}${tail}`;
      case "with":
        return `const c${id}=${value};if(isSet(c${id})){${main(`c${id}`)}}${tail}`;
      case "each":
        return `const l${id}=${value};if(hasItems(l${id})){for(const c${id} of l${id}){${main(`c${id}`)}}}${tail}`;
      default:
        return this.#refuse(true, node);
    }
  }

  /** Returns the code of a path: `this`, or a field of the view. */
  #path(path, view) {
    const { type, depth, data, parts, original } = path;
    if (original === "this") return view;
    const isField = type === "PathExpression" && depth === 0 && !data;
    this.#refuse(!isField || parts.length !== 1 || parts[0] in {}, path);
    return `${view}.${parts[0]}`;
  }

  #refuse(isRefused, { type, loc }) {
    if (isRefused)
      throw new Error(
        `${this.name}.hbs:${loc.start.line}: ${type} is not supported by scripts/compile-templates.mjs`,
      );
  }
}
