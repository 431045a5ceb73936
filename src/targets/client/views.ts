import type { Code } from "../../render/typescript/code.js";
import type { EnumDeclaration, InterfaceView } from "../shared/views.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "client/client": ClientView;
    "client/client.d": ClientView;
    "client/client.js": ClientView;
    "client/errors": ErrorsView;
    "client/errors.d": ErrorsView;
    "client/errors.js": ErrorsView;
    "client/index": IndexView;
    "client/index.d": IndexView;
    "client/index.js": IndexView;
    "client/method": MethodView;
    "client/method.d": MethodView;
    "client/method.js": MethodView;
    "client/resource": ResourceView;
    "client/resource.d": ResourceView;
    "client/resource.js": ResourceView;
    "client/service": ServiceView;
    "client/service.d": ServiceView;
    "client/service.js": ServiceView;
  }
}

/** View of the module client. */
export interface ClientView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  /** Declaration of the client's type. */
  readonly declaration: Code;
  /** First line of the function that creates the client. */
  readonly create: Code;
  /** Declaration of this function; empty in TypeScript. */
  readonly createDeclaration?: Code;
  readonly hasMethods: boolean;
  /** Object that the function returns. */
  readonly object: Code;
}

/** View of the module errors. */
export interface ErrorsView {
  readonly banner: Code;
  readonly imports: Code;
  /**
   * View of the function that reads error bodies; undefined if error bodies are
   * described only for single methods.
   */
  readonly reader: ErrorReaderView | undefined;
  readonly doc: Code;
  readonly name: Code;
  /** Error type, preceded by a space or line feed. */
  readonly type: Code;
  /** First line of the type guard. */
  readonly head: Code;
  /** Declaration of the type guard; empty in TypeScript. */
  readonly declaration?: Code;
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

/** View of the module index. */
export interface IndexView {
  readonly banner: Code;
  readonly exports: readonly Code[];
  /** Exports of values, without those of types. */
  readonly values?: readonly Code[];
}

/** View of the module of a resource. */
export interface ResourceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly methods: readonly ResourceMethodView[];
}

/** View of a method and of the types that only this method uses. */
export interface ResourceMethodView extends MethodView {
  readonly enums: readonly EnumDeclaration[];
  readonly parameters: InterfaceView;
  /**
   * Interface of the response headers; undefined if responses have only the
   * common headers.
   */
  readonly headers: InterfaceView | undefined;
}

/** View of a method's constant. */
export interface MethodView {
  readonly doc: Code;
  readonly name: Code;
  readonly type: Code;
  readonly make: Code;
  /** True if the opening brace is on the same line as the call. */
  readonly hugs: boolean;
  /** Entries of the descriptor, formatted for their level of indentation. */
  readonly entries: readonly Code[];
}

/** View of the module service. */
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
  /**
   * Settings of the credential; undefined for a bearer token in the header
   * Authorization.
   */
  readonly credential: CredentialView | undefined;
  readonly signature: Code;
  readonly bareSignature: Code;
  /** Declaration of `createClient`; empty in TypeScript. */
  readonly declaration?: Code;
  /** Declaration of `createBareClient`; empty in TypeScript. */
  readonly bareDeclaration?: Code;
  readonly create: Code;
  readonly createBare: Code;
  /** Arguments of the runtime functions that create clients. */
  readonly settings: Code;
}

/** View of the constant that defines how the credential is sent. */
export interface CredentialView {
  /** Type of the constant; empty in JavaScript. */
  readonly type: Code;
  readonly rules: readonly Code[];
}
