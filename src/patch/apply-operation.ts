import {
  applyAdd,
  applyRemove,
  applyRename,
  applyReplace,
} from "./apply-changes.js";
import {
  requireField,
  setField,
  setFlag,
  setOperation,
} from "./apply-marks.js";
import { addScopes } from "./apply-scopes.js";
import type { OperationKind } from "./operation-table.js";
import type { PatchOperation, PatchPosition } from "./patch-file.js";
import type { PatchSession } from "./patch-session.js";

/**
 * Function that applies an operation. Throws OperationError if the document
 * does not match the operation.
 */
type Apply = (
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
) => void;

/**
 * Applies an operation to a document.
 * @throws OperationError if the document does not match the operation
 */
export function applyOperation(
  operation: PatchOperation,
  session: PatchSession,
  by: PatchPosition,
): void {
  APPLY[operation.kind](operation, session, by);
}

const APPLY: Readonly<Record<OperationKind, Apply>> = {
  add: applyAdd,
  replace: applyReplace,
  remove: applyRemove,
  rename: applyRename,
  describe: (operation, session, by) =>
    setField("description", operation, session, by),
  require: requireField,
  readOnly: (operation, session, by) =>
    setFlag("readOnly", operation, session, by),
  deprecate: (operation, session, by) =>
    setFlag("deprecated", operation, session, by),
  paging: (operation, session, by) =>
    setField("x-paging", operation, session, by, "method"),
  operation: setOperation,
  scopes: addScopes,
};
