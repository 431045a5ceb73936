import type { Code } from "../../render/typescript/code.js";
import type {
  AliasView,
  EnumDeclaration,
  InterfaceView,
} from "../shared/views.js";

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

/** Template data for client.ts, the file with the client object. */
export interface ClientView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  /** Type alias or interface for the client object. */
  readonly declaration: Code;
  /** Interfaces of the resources that have methods. */
  readonly resources: readonly AliasView[];
  /** Comment of the function that creates the client. */
  readonly createDoc: Code;
  /** First line of the function that creates the client. */
  readonly create: Code;
  readonly methods: MethodsView;
}

/** Template data for the tree of methods in client.ts. */
export interface MethodsView {
  /** Name of the function that returns the tree. */
  readonly name: Code;
  /** Object literal with the resources and methods. */
  readonly tree: Code;
  /** Statement that returns the methods, bound to a client. */
  readonly bound: Code;
}

/** Template data for errors.ts, the file with the types of errors. */
export interface ErrorsView {
  readonly banner: Code;
  readonly imports: Code;
  /**
   * Template data for the function that parses error bodies; undefined if the
   * document describes error bodies only for individual methods.
   */
  readonly reader: ErrorReaderView | undefined;
  readonly doc: Code;
  /** Type alias of the API's errors. */
  readonly type: Code;
  /** First line of the type guard for the API's errors. */
  readonly head: Code;
  readonly check: Code;
  /** Common prefix of all method ids. */
  readonly prefix: Code;
}

/**
 * Template data for a constant whose value is the function that parses error
 * bodies.
 */
export interface ErrorReaderView {
  readonly ReadError: Code;
  readonly make: Code;
  readonly entries: readonly Code[];
}

/** Template data for index.ts. */
export interface IndexView {
  readonly banner: Code;
  readonly exports: readonly Code[];
}

/** Template data for `resources/<resource>.ts`. */
export interface ResourceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly methods: readonly ResourceMethodView[];
  /**
   * Statement that adds exports with the names of methods, such as `delete` for
   * the constant `delete_`; undefined if no such export is needed.
   */
  readonly aliases: Code | undefined;
}

/** Template data for a method and for the types that only this method uses. */
export interface ResourceMethodView extends MethodView {
  readonly enums: readonly EnumDeclaration[];
  /** Undefined if the method accepts only the common parameters. */
  readonly parameters: InterfaceView | undefined;
  /**
   * Interface of the response headers; undefined unless the method has response
   * headers of its own.
   */
  readonly headers: InterfaceView | undefined;
}

/** Template data for a method's constant. */
export interface MethodView {
  readonly doc: Code;
  /** Text `export const name: type = make(`, with a brace if `hugs`. */
  readonly head: Code;
  /**
   * True if the opening brace of the argument is on the same line as the call.
   */
  readonly hugs: boolean;
  /**
   * Members of the object that describes the method to the client runtime,
   * formatted for the indentation at which the template prints them.
   */
  readonly entries: readonly Code[];
}

/** Template data for service.ts, the file with URLs and client options. */
export interface ServiceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  readonly Service: Code;
  readonly entries: readonly Code[];
  /** Types of the enums in common parameters. */
  readonly enums: readonly EnumDeclaration[];
  /** Interface of the parameters that all methods accept. */
  readonly common: InterfaceView;
  /** Interface of the parameters in the options of a client. */
  readonly ofClient: InterfaceView;
  /** Interface of the response headers that all methods have in common. */
  readonly headers: InterfaceView | undefined;
  readonly options: readonly InterfaceView[];
  /**
   * Rules by which the runtime adds the credential to a request; undefined for
   * a bearer token in the Authorization header.
   */
  readonly credential: CredentialView | undefined;
  readonly signature: Code;
  readonly bareSignature: Code;
  readonly create: Code;
  readonly createBare: Code;
  /** Arguments for the runtime functions that create clients. */
  readonly settings: Code;
}

/**
 * Template data for the constant with the rules by which the runtime adds the
 * credential to a request.
 */
export interface CredentialView {
  readonly type: Code;
  readonly rules: readonly Code[];
}
