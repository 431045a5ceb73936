import type { Code } from "../../render/typescript/code.js";
import type { EnumDeclaration, InterfaceView } from "../shared/views.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "client/client": ClientView;
    "client/errors": ErrorsView;
    "client/index": IndexView;
    "client/method": MethodView;
    "client/resource": ResourceView;
    "client/service": ServiceView;
  }
}

/** View of client.ts. */
export interface ClientView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  /** Declaration of the client's type. */
  readonly declaration: Code;
  /** First line of the function that creates the client. */
  readonly create: Code;
  readonly hasMethods: boolean;
  /** Undefined if the object binds the modules of the resources. */
  readonly table: TableView | undefined;
  /** Object that the function returns. */
  readonly object: Code;
}

/** View of the constants with the table of all methods. */
export interface TableView {
  readonly name: Code;
  readonly lines: readonly Code[];
  /**
   * Constant with the parts that lines refer to, without the semicolon;
   * undefined if there are none.
   */
  readonly parts: Code | undefined;
}

/** View of errors.ts. */
export interface ErrorsView {
  readonly banner: Code;
  readonly imports: Code;
  /** Undefined if error bodies are described only for single methods. */
  readonly reader: ErrorReaderView | undefined;
  readonly doc: Code;
  readonly name: Code;
  /** The type, preceded by a space or line feed. */
  readonly type: Code;
  /** First line of the type guard. */
  readonly head: Code;
  readonly check: Code;
  /** Common prefix of the ids of all methods. */
  readonly prefix: Code;
}

/** View of the constant with the function that reads error bodies. */
export interface ErrorReaderView {
  readonly ReadError: Code;
  readonly make: Code;
  readonly entries: readonly Code[];
}

/** View of index.ts. */
export interface IndexView {
  readonly banner: Code;
  readonly exports: readonly Code[];
}

/** View of resources/<resource>.ts. */
export interface ResourceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly methods: readonly ResourceMethodView[];
}

/** View of a method and of the types that only this method uses. */
export interface ResourceMethodView extends MethodView {
  readonly enums: readonly EnumDeclaration[];
  readonly parameters: InterfaceView;
  /** Undefined if responses have no headers other than the common headers. */
  readonly headers: InterfaceView | undefined;
}

/** View of a method's constant. */
export interface MethodView {
  readonly doc: Code;
  readonly name: Code;
  readonly type: Code;
  readonly make: Code;
  /** True to print the opening brace on the same line as the call. */
  readonly hugs: boolean;
  /** Entries of the descriptor, formatted for their indentation. */
  readonly entries: readonly Code[];
}

/** View of service.ts. */
export interface ServiceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  readonly Service: Code;
  readonly entries: readonly Code[];
  /** Types of enums in common parameters. */
  readonly enums: readonly EnumDeclaration[];
  /** Interface of the common parameters. */
  readonly common: InterfaceView;
  /** Interface of the common response headers. */
  readonly headers: InterfaceView | undefined;
  readonly options: readonly InterfaceView[];
  /** Undefined for a bearer token in the header Authorization. */
  readonly credential: CredentialView | undefined;
  readonly signature: Code;
  readonly bareSignature: Code;
  readonly create: Code;
  readonly createBare: Code;
  /** Arguments of the runtime functions that create clients. */
  readonly settings: Code;
}

/** View of the constant that defines how the credential is sent. */
export interface CredentialView {
  readonly type: Code;
  readonly rules: readonly Code[];
}
