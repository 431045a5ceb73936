import type { Method, Parameter } from "../../model/ir.js";
import { safeType } from "../../model/names.js";
import {
  commonHandlerHeaders,
  handlerHeaders,
  splitHeaders,
} from "../../model/response-headers.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import { named } from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { codeSpan } from "../shared/doc-notes.js";
import {
  commonBase,
  parameterProperties,
  type ParametersInput,
  parametersView,
  replacedParameters,
} from "../shared/parameters.js";
import type {
  DeclarationView,
  InterfaceDeclaration,
  InterfaceView,
} from "../shared/views.js";
import { isPresent } from "./parameter-rules.js";
import type { ServerFile } from "./server-file.js";

/** Prefix of the names of enums that all methods share. */
const COMMON_PREFIX = "CommonHandler";

/**
 * Names of the interfaces that all methods share. They differ from the names in
 * service.ts, which describe what callers send and receive.
 */
export const COMMON_PARAMETERS = `${COMMON_PREFIX}Parameters`;

export const COMMON_HEADERS = `${COMMON_PREFIX}Headers`;

/**
 * Builds the interfaces for the parameters that handlers receive, and for the
 * response headers that handlers set.
 */
export class HandlerInterfaces {
  readonly #context: ApiContext;
  readonly #file: ServerFile;
  readonly #headers: ResponseHeaders;

  constructor(context: ApiContext, file: ServerFile) {
    this.#context = context;
    this.#file = file;
    this.#headers = new ResponseHeaders(context.methods);
  }

  /** Returns the interfaces that all methods share. */
  common(): DeclarationView[] {
    return [...this.#commonParameters(), ...this.#commonHeaders()];
  }

  #commonParameters(): DeclarationView[] {
    const views = parametersView(
      ...this.#input(
        COMMON_PARAMETERS,
        "Parameters of all methods, as handlers receive them.",
        COMMON_PREFIX,
        this.#withDefaults(this.#context.api.parameters),
      ),
      undefined,
    );
    return [...views.enums, asInterface(views.view)];
  }

  #commonHeaders(): DeclarationView[] {
    const { common } = this.#headers;
    if (common.length === 0) return [];
    const doc = "Response headers of all methods, as handlers set them.";
    const views = parametersView(
      ...this.#input(COMMON_HEADERS, doc, COMMON_PREFIX, common),
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

  /**
   * Marks the parameters that have a default value as required, because
   * handlers always receive a value for them.
   */
  #withDefaults(parameters: readonly Parameter[]): Parameter[] {
    const { trustProse } = this.#context.options;
    return parameters.map((parameter) =>
      isPresent(parameter, trustProse) ? asRequired(parameter) : parameter,
    );
  }

  /**
   * Returns the interface of the parameters that a handler receives. Methods
   * without parameters of their own share one interface.
   */
  parameters(
    method: Method,
    prefix: string,
  ): { name: string; views: DeclarationView[] } {
    const { api } = this.#context;
    const declared = [...method.parameters, ...(method.headers ?? [])];
    if (declared.length === 0) return { name: COMMON_PARAMETERS, views: [] };
    const name = this.#file.scope.reserve(safeType(`${prefix}Parameters`));
    const replaced = replacedParameters(method, api.parameters).map(
      (parameter) => parameter.name,
    );
    const [input, properties] = this.#input(
      name,
      `Parameters of ${codeSpan(method.id)}.`,
      prefix,
      this.#withDefaults(declared),
    );
    const base = commonBase(COMMON_PARAMETERS, "Omit", replaced);
    const { view, enums } = parametersView(input, properties, base);
    return { name, views: [...enums, asInterface(view)] };
  }

  /**
   * Returns the interface of the response headers that a handler sets. The name
   * is undefined if there are no headers.
   */
  headers(
    method: Method,
    prefix: string,
  ): { name: string | undefined; views: DeclarationView[] } {
    const specific = this.#headers.of(method);
    const hasCommon = this.#headers.common.length > 0;
    if (specific.length === 0)
      return { name: hasCommon ? COMMON_HEADERS : undefined, views: [] };
    const name = this.#file.scope.reserve(safeType(`${prefix}Headers`));
    const doc = `Response headers of ${codeSpan(method.id)}.`;
    const base = hasCommon ? named(COMMON_HEADERS) : undefined;
    const { view, enums } = parametersView(
      ...this.#input(name, doc, `${prefix}Headers`, specific),
      base,
    );
    return { name, views: [...enums, asInterface(view)] };
  }
}

/**
 * Marks template data as an interface, for templates that print both interfaces
 * and enums.
 */
export function asInterface(view: InterfaceView): InterfaceDeclaration {
  return { ...view, isInterface: true };
}

function asRequired(parameter: Parameter): Parameter {
  return {
    ...parameter,
    flags: { ...parameter.flags, required: { from: "rule" } },
  };
}

/**
 * Response headers that handlers set: headers that all methods have in common,
 * and headers that are specific to methods.
 */
class ResponseHeaders {
  readonly common: readonly Parameter[];

  constructor(methods: readonly Method[]) {
    this.common = commonHandlerHeaders(methods);
  }

  /**
   * Returns the response headers of a method except those that all methods have
   * in common.
   */
  of(method: Method): readonly Parameter[] {
    return splitHeaders(handlerHeaders(method), this.common).specific;
  }
}
