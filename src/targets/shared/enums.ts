import type { EnumValue } from "../../model/ir.js";
import {
  Code,
  EMPTY,
  identifier,
  literal,
  quote,
} from "../../render/typescript/code.js";
import { docComment, type Doc } from "../../render/typescript/comment.js";
import { flat, OTHER_STRING } from "../../render/typescript/types.js";
import type { EnumDeclaration } from "./views.js";

const WIDTH = 80;

/**
 * Returns the view of an open enum: the known values, for completion, and any
 * other string, since servers can add values. Prettier prints a union on one
 * line if it fits and only the first value has a comment.
 *
 * @param isClosed true to exclude other strings
 */
export function enumView(
  name: string,
  values: readonly EnumValue[],
  doc: Doc,
  isClosed = false,
): EnumDeclaration {
  const rest = isClosed ? undefined : flat(OTHER_STRING);
  const line = [
    ...values.map(({ value }) => quote(value)),
    ...(rest === undefined ? [] : [rest]),
  ].join(" | ");
  const head = { name: identifier(name), doc: docComment(doc, 0) };
  const docs = values.map((value) =>
    docComment(
      { description: value.description, deprecated: value.deprecated },
      2,
    ),
  );
  const isQuiet = docs.slice(1).every((text) => text === EMPTY);
  if (
    isQuiet &&
    docs[0] === EMPTY &&
    `export type ${name} = ${line};`.length <= WIDTH
  ) {
    return { ...head, isEnum: false, type: new Code(` ${line}`) };
  }
  if (isQuiet && line.length + 3 <= WIDTH) {
    return {
      ...head,
      isEnum: true,
      options: [
        {
          doc: docs[0]!,
          bar: false,
          literal: new Code(line),
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
    tail: new Code(rest === undefined ? ";" : `\n  | ${rest};`),
  }));
  return { ...head, isEnum: true, options };
}
