import type { Code } from "../../render/typescript/code.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "client/alias": AliasView;
    "client/enum": EnumView;
    "client/interface": InterfaceView;
    "client/schemas": SchemasView;
    "client/scopes": ScopesView;
  }
}

/** Template data for a type alias or another complete declaration. */
export interface AliasView {
  readonly doc: Code;
  /** Statement such as `export type Name = …;`. */
  readonly declaration: Code;
}

/**
 * Template data for a type alias that is a union, with one option on each line.
 */
export interface EnumView {
  readonly doc: Code;
  readonly name: Code;
  readonly options: readonly EnumOptionView[];
}

/** Template data for one line of a union type. */
export interface EnumOptionView {
  readonly doc: Code;
  /** Member of the union type, or all members if they are on one line. */
  readonly text: Code;
}

/** Template data for an interface. */
export interface InterfaceView {
  readonly doc: Code;
  /** First line, such as `export interface Name extends Base {`. */
  readonly head: Code;
  /** True if `head` is the complete interface. */
  readonly isEmpty: boolean;
  readonly fields: readonly MemberView[];
  /** Index signature, if there is one. */
  readonly index?: Code | undefined;
}

/** Template data for a member of an interface. */
export interface MemberView {
  readonly doc: Code;
  /** Text `readonly name?: type;`. */
  readonly declaration: Code;
}

/**
 * Template data for an enum type. The type is printed on one line if it fits
 * and its values have no comments.
 */
export type EnumDeclaration =
  | (EnumView & { readonly isEnum: true })
  | (AliasView & { readonly isEnum: false });

/**
 * Template data for an interface that is printed together with other kinds of
 * declarations.
 */
export type InterfaceDeclaration = InterfaceView & {
  readonly isInterface: true;
};

/**
 * Template data for a declaration in a file that contains several kinds of
 * declarations.
 */
export type DeclarationView =
  InterfaceDeclaration | EnumDeclaration | AliasView;

/**
 * Template data for schemas.ts, the file with the types of the document's
 * schemas.
 */
export interface SchemasView {
  readonly banner: Code;
  readonly imports: Code;
  readonly definitions: readonly DeclarationView[];
}

/** Template data for scopes.ts, the file with the OAuth 2.0 scopes. */
export interface ScopesView {
  readonly banner: Code;
  readonly imports: Code;
  readonly scopes: readonly {
    readonly doc: Code;
    /** Statement `export const name = "…";`. */
    readonly declaration: Code;
  }[];
  /**
   * Table of the scopes that each method accepts; undefined if no method has
   * scopes.
   */
  readonly methods: ScopeSetsView | undefined;
}

/**
 * Template data for the table that lists the methods that accept each set of
 * scopes.
 */
export interface ScopeSetsView {
  readonly sets: readonly Code[];
  readonly ScopeSet: Code;
  readonly ScopedMethod: Code;
  readonly smallest: Code;
}
