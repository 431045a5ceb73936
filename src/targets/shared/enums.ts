import type { EnumValue } from "../../model/ir.js";
import {
  Code,
  EMPTY,
  identifier,
  literal,
} from "../../render/typescript/code.js";
import { docComment, type Doc } from "../../render/typescript/doc-comment.js";
import {
  aliasCode,
  flat,
  OTHER_STRING,
  printType,
  type TypeTree,
} from "../../render/typescript/types.js";
import type { EnumDeclaration } from "./views.js";

/**
 * Returns the template data for an enum type. An open enum consists of the
 * known values, which editors suggest, and any other string, because servers
 * can add values. If only the first value has a comment, the union is on one
 * line if it fits, as Prettier formats it.
 * @param isClosed true to exclude other strings
 */
export function enumView(
  name: string,
  values: readonly EnumValue[],
  doc: Doc,
  isClosed = false,
): EnumDeclaration {
  const known = values.map(
    ({ value }) => ({ kind: "literal", value }) as const,
  );
  const type: TypeTree = {
    kind: "union",
    of: isClosed ? known : [...known, OTHER_STRING],
  };
  const head = { name: identifier(name), doc: docComment(doc, 0) };
  const docs = values.map((value) =>
    docComment(
      { description: value.description, deprecated: value.deprecated },
      2,
    ),
  );
  if (docs.every((text) => text === EMPTY)) {
    const used = `export type ${name} =`.length;
    return { ...head, isEnum: false, type: aliasCode(type, used) };
  }
  if (docs.slice(1).every((text) => text === EMPTY)) {
    const options = new Code(printType(type, 2, 2, 1));
    return {
      ...head,
      isEnum: true,
      options: [
        {
          doc: docs[0]!,
          bar: false,
          literal: options,
          last: true,
          tail: new Code(";"),
        },
      ],
    };
  }
  const options = values.map(({ value }, index) => ({
    doc: docs[index]!,
    bar: true,
    literal: literal(value),
    last: index === values.length - 1,
    tail: new Code(isClosed ? ";" : `\n  | ${flat(OTHER_STRING)};`),
  }));
  return { ...head, isEnum: true, options };
}
