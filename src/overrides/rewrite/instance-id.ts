import { entryOf, isNull } from "../document/tree.js";
import { valueOfMovedKey } from "./flat-keys.js";
import type { RewriteSession } from "./rewrite-session.js";
import { formatScalar } from "./edits.js";

const MAX_CHARACTERS = 63;

/**
 * Adds the key instanceID: the value of `--instance-id`, otherwise a value
 * derived from cluster name and region. The derived value is the same in every
 * rewrite of the file.
 */
export function addInstanceId(session: RewriteSession): void {
  const { root, layout, options } = session;
  const present = entryOf(root, "instanceID");
  if (present !== undefined && !isNull(present.value)) {
    const current = present.value.kind === "scalar" ? present.value.text : "";
    if (options.instanceId !== undefined && options.instanceId !== current)
      session.addWarning("instanceID is already set and remains unchanged");
    return;
  }
  const after = entryOf(root, "org") ?? entryOf(root, "k8sCluster");
  const value = options.instanceId ?? deriveInstanceId(session);
  if (after === undefined || value === undefined)
    return session.addRefusal(
      "instanceID can't be derived without a cluster name; pass --instance-id",
    );
  if (present !== undefined)
    return session.edits.insert(
      layout.contentEnd(present),
      ` ${formatScalar(value)}`,
    );
  const indent = " ".repeat(layout.columnOf(after.keyRange.start));
  session.insertLines(layout.linesOf(after).end, [
    `${indent}instanceID: ${formatScalar(value)}`,
  ]);
  session.addChange(
    after.keyRange.start,
    "instanceID",
    "added",
    `instanceID: ${value}; never change it, and use it for all organizations in the cluster`,
  );
}

function deriveInstanceId(session: RewriteSession): string | undefined {
  const name = valueOfMovedKey(session, "k8sCluster", "name");
  const region =
    valueOfMovedKey(session, "k8sCluster", "region") ?? session.options.region;
  if (name === undefined) return undefined;
  const fullId = region === undefined ? name : `${name}-${region}`;
  let id = [...fullId].slice(0, MAX_CHARACTERS).join("");
  while (id.endsWith("-")) id = id.slice(0, -1);
  return id;
}
