import { propertyKey } from "../../render/typescript/code.js";
import { docComment, type Doc } from "../../render/typescript/doc-comment.js";
import {
  memberDeclaration,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { MemberView } from "./views.js";

/** Data from which a member of an interface is printed. */
export interface MemberParts {
  readonly name: string;
  readonly type: TypeTree;
  readonly doc: Doc;
  readonly isOptional: boolean;
  readonly isReadonly?: boolean;
  /**
   * True if an optional member accepts the value `undefined`. Ignored for
   * required members.
   */
  readonly acceptsUndefined?: boolean | undefined;
}

/**
 * Returns the template data for a member: its comment, and its declaration
 * `readonly name?: type`.
 */
export function memberView(member: MemberParts): MemberView {
  const mark = member.isReadonly === true ? "readonly " : "";
  const head = `${mark}${propertyKey(member.name).text}${member.isOptional ? "?" : ""}`;
  const given =
    member.isOptional && member.acceptsUndefined === true
      ? orUndefined(member.type)
      : member.type;
  return {
    doc: docComment(member.doc, 2),
    declaration: memberDeclaration(head, given),
  };
}

function orUndefined(type: TypeTree): TypeTree {
  const options = type.kind === "union" ? type.of : [type];
  return { kind: "union", of: [...options, named("undefined")] };
}
