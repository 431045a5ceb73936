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

/** Template data for client.ts, the file with the client object. */
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
  /** Undefined if the object binds the modules of the resources. */
  readonly table: TableView | undefined;
  /** Expression for the client object that this function returns. */
  readonly object: Code;
}

/** Template data for the constants with the table of all methods. */
export interface TableView {
  readonly name: Code;
  readonly lines: readonly Code[];
  /**
   * Constant with the parts that lines refer to, without the semicolon;
   * undefined if there are none.
   */
  readonly parts: Code | undefined;
}

/** View of the module errors. */
export interface ErrorsView {
  readonly banner: Code;
  readonly imports: Code;
  /**
   * Template data for the function that reads error bodies; undefined if error
   * bodies are described only for single methods.
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

/** Template data for the constant with the function that reads error bodies. */
export interface ErrorReaderView {
  readonly ReadError: Code;
  readonly make: Code;
  readonly entries: readonly Code[];
}

/** Template data for index.ts. */
export interface IndexView {
  readonly banner: Code;
  readonly exports: readonly Code[];
  /** Exports of values, without those of types. */
  readonly values?: readonly Code[];
}

/** Template data for resources/<resource>.ts. */
export interface ResourceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly methods: readonly ResourceMethodView[];
}

/** Template data for a method and of the types that only this method uses. */
export interface ResourceMethodView extends MethodView {
  readonly enums: readonly EnumDeclaration[];
  readonly parameters: InterfaceView;
  /**
   * Interface of the response headers; undefined if responses have only the
   * common headers.
   */
  readonly headers: InterfaceView | undefined;
}

/** Template data for a method's constant. */
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

/** Template data for service.ts, the file with URLs and client options. */
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
   * Settings of the credential; undefined for a bearer token in the
   * Authorization header.
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

/** Template data for the constant that defines how the credential is sent. */
export interface CredentialView {
  /** Type of the constant; empty in JavaScript. */
  readonly type: Code;
  readonly rules: readonly Code[];
}
