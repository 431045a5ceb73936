import type { EnumValue } from "../../model/ir.js";
import {
  Code,
  EMPTY,
  identifier,
  quote,
} from "../../render/typescript/code.js";
import { docComment, type Doc } from "../../render/typescript/doc-comment.js";
import {
  aliasDeclaration,
  flat,
  OTHER_STRING,
  unionOptions,
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
  const type = {
    kind: "union" as const,
    of: isClosed ? known : [...known, OTHER_STRING],
  };
  const head = docComment(doc, 0);
  const docs = values.map((value) =>
    docComment(
      { description: value.description, deprecated: value.deprecated },
      2,
    ),
  );
  if (docs.every((text) => text === EMPTY))
    return {
      doc: head,
      isEnum: false,
      declaration: aliasDeclaration(name, type),
    };
  const isFlat = docs.slice(1).every((text) => text === EMPTY);
  const options = isFlat
    ? [{ doc: docs[0]!, text: unionOptions(type.of) }]
    : values.map(({ value }, index) => {
        const isLast = index === values.length - 1;
        const end = isClosed ? ";" : `\n  | ${flat(OTHER_STRING)};`;
        const text = `| ${quote(value)}${isLast ? end : ""}`;
        return { doc: docs[index]!, text: new Code(text) };
      });
  return { doc: head, name: identifier(name), isEnum: true, options };
}
