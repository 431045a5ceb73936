import type { Method, Parameter } from "../../model/ir.js";
import { safeType } from "../../model/names.js";
import { docComment } from "../../render/typescript/comment.js";
import { named } from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import { codeSpan } from "../shared/doc-notes.js";
import {
  commonBase,
  parameterProperties,
  parametersView,
  replacedParameters,
  type ParametersInput,
} from "../shared/parameters.js";
import type { ServerFile } from "./server-file.js";
import { ResponseHeaders } from "./response-headers.js";
import { isPresent } from "./parameter-rules.js";
import type {
  DeclarationView,
  InterfaceDeclaration,
  InterfaceView,
} from "../shared/views.js";

/** Prints the interfaces of what handlers are given and give beside bodies: parameters, and headers of answers. */
export class HandlerInterfaces {
  readonly #context: ApiContext;
  readonly #file: ServerFile;
  readonly #headers: ResponseHeaders;

  constructor(context: ApiContext, file: ServerFile) {
    this.#context = context;
    this.#file = file;
    this.#headers = new ResponseHeaders(context.methods);
  }

  /** What all methods have in common. */
  common(): DeclarationView[] {
    return [...this.#commonParameters(), ...this.#commonHeaders()];
  }

  #commonParameters(): DeclarationView[] {
    const views = parametersView(
      ...this.#input(
        "CommonParameters",
        "Parameters that all methods take.",
        "Common",
        this.#present(this.#context.api.parameters),
      ),
      undefined,
    );
    return [...views.enums, asInterface(views.view)];
  }

  #commonHeaders(): DeclarationView[] {
    const { common } = this.#headers;
    if (common.length === 0) return [];
    const doc = "Headers that all answers may have.";
    const views = parametersView(
      ...this.#input(COMMON_HEADERS, doc, "Common", common),
      undefined,
    );
    return [...views.enums, asInterface(views.view)];
  }

  #input(
    name: string,
    doc: string,
    prefix: string,
    parameters: readonly Parameter[],
  ): [ParametersInput, ReturnType<typeof parameterProperties>] {
    const { trustProse } = this.#context.options;
    const input: ParametersInput = {
      name,
      doc: docComment({ description: doc }, 0),
      parameters,
      renamed: new Map(),
      scope: this.#file.scope,
      prefix,
      names: this.#file.types(),
      trustProse,
    };
    return [input, parameterProperties(input)];
  }

  /** Parameters as handlers see them: with a default they are always there. */
  #present(parameters: readonly Parameter[]): Parameter[] {
    const { trustProse } = this.#context.options;
    return parameters.map((parameter) =>
      isPresent(parameter, trustProse) ? present(parameter) : parameter,
    );
  }

  /** The interface of the parameters that a handler is given. */
  parameters(
    method: Method,
    prefix: string,
  ): { name: string; views: DeclarationView[] } {
    const { api } = this.#context;
    const name = this.#file.scope.reserve(safeType(`${prefix}Parameters`));
    const replaced = replacedParameters(method, api).map(
      (parameter) => parameter.name,
    );
    const [input, properties] = this.#input(
      name,
      `Parameters of ${codeSpan(method.id)}.`,
      prefix,
      this.#present([...method.parameters, ...(method.headers ?? [])]),
    );
    const base = commonBase("CommonParameters", "Omit", replaced);
    const { view, enums } = parametersView(input, properties, base);
    return { name, views: [...enums, asInterface(view)] };
  }

  /** The interface of the headers that a handler sets. */
  headers(
    method: Method,
    prefix: string,
  ): { name: string | undefined; views: DeclarationView[] } {
    const own = this.#headers.of(method);
    const hasCommon = this.#headers.common.length > 0;
    if (own.length === 0)
      return { name: hasCommon ? COMMON_HEADERS : undefined, views: [] };
    const name = this.#file.scope.reserve(safeType(`${prefix}Headers`));
    const doc = `Headers of the answers of ${codeSpan(method.id)}.`;
    const base = hasCommon ? named(COMMON_HEADERS) : undefined;
    const { view, enums } = parametersView(
      ...this.#input(name, doc, `${prefix}Headers`, own),
      base,
    );
    return { name, views: [...enums, asInterface(view)] };
  }
}

/** The view of an interface, told from those of enums. */
export function asInterface(view: InterfaceView): InterfaceDeclaration {
  return { ...view, isInterface: true };
}

function present(parameter: Parameter): Parameter {
  return {
    ...parameter,
    flags: { ...parameter.flags, required: { from: "rule" } },
  };
}
