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
  /** The type of the client. */
  readonly declaration: Code;
  /** Head of the function that creates the client. */
  readonly create: Code;
  readonly hasMethods: boolean;
  /** The object that the function returns. */
  readonly object: Code;
}

/** View of errors.ts. */
export interface ErrorsView {
  readonly banner: Code;
  readonly imports: Code;
  /** Undefined if only methods describe error bodies. */
  readonly reader: ErrorReaderView | undefined;
  readonly doc: Code;
  readonly name: Code;
  /** The type, with the blank or line feed before it. */
  readonly type: Code;
  /** Head of the type guard. */
  readonly head: Code;
  readonly check: Code;
  /** Prefix of the ids of all methods. */
  readonly prefix: Code;
}

/** View of the constant that reads bodies of errors. */
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

/** View of a method and the types that only it uses. */
export interface ResourceMethodView extends MethodView {
  readonly enums: readonly EnumDeclaration[];
  readonly parameters: InterfaceView;
  /** Undefined if responses have only common headers. */
  readonly headers: InterfaceView | undefined;
}

/** View of the constant of a method. */
export interface MethodView {
  readonly doc: Code;
  readonly name: Code;
  readonly type: Code;
  readonly make: Code;
  /** Prints the brace on the line of the call. */
  readonly hugs: boolean;
  /** Entries of the descriptor, laid out for their indentation. */
  readonly entries: readonly Code[];
}

/** View of service.ts. */
export interface ServiceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly doc: Code;
  readonly Service: Code;
  readonly entries: readonly Code[];
  /** Enums of common parameters. */
  readonly enums: readonly EnumDeclaration[];
  /** Common parameters. */
  readonly common: InterfaceView;
  /** Common response headers. */
  readonly headers: InterfaceView | undefined;
  readonly options: readonly InterfaceView[];
  /** Undefined for a bearer token in the header Authorization. */
  readonly credential: CredentialView | undefined;
  readonly signature: Code;
  readonly bareSignature: Code;
  readonly create: Code;
  readonly createBare: Code;
  /** Arguments for the runtime's functions. */
  readonly settings: Code;
}

/** View of the constant that says how the credential is sent. */
export interface CredentialView {
  readonly type: Code;
  readonly rules: readonly Code[];
}
