import { responseForm } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { named, type TypeTree } from "../../render/typescript/types.js";
import type { FileContext } from "../shared/file-context.js";
import { typeOf, type TypeNames } from "../shared/types.js";

/** Returns the type of a method's result. */
export function resultType(
  method: Method,
  types: TypeNames,
  file: FileContext,
): TypeTree {
  switch (responseForm(method)) {
    case "redirect":
      return named("Blob");
    case "content":
      return named(file.runtimeType("Media"));
    case "none":
      return named("void");
    case "json":
      return typeOf(method.response!, "output", types);
  }
}
