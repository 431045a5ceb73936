import { entryOf, isNothing } from "../document/tree.js";
import { movedValue } from "./flat-keys.js";
import type { Rewriting } from "./session.js";
import { scalarText } from "./format-scalar.js";

const LIMIT = 63;

/** Adds instanceID: the given one, or cluster and region; never anything of the moment. */
export function addIdentity(rewriting: Rewriting): void {
  const { root, layout, options } = rewriting;
  const present = entryOf(root, "instanceID");
  if (present !== undefined && !isNothing(present.value)) {
    const own = present.value.kind === "scalar" ? present.value.text : "";
    if (options.instanceId !== undefined && options.instanceId !== own)
      rewriting.warn("instanceID is there already, and is kept as it is");
    return;
  }
  const after = entryOf(root, "org") ?? entryOf(root, "k8sCluster");
  const value = options.instanceId ?? derived(rewriting);
  if (after === undefined || value === undefined)
    return rewriting.refuse(
      "there is no cluster to derive instanceID from; give --instance-id",
    );
  if (present !== undefined)
    return rewriting.edits.insert(
      layout.contentEnd(present),
      ` ${scalarText(value)}`,
    );
  const indent = " ".repeat(layout.columnOf(after.keyRange.start));
  rewriting.insertLines(layout.linesOf(after).end, [
    `${indent}instanceID: ${scalarText(value)}`,
  ]);
  rewriting.noteChange(
    after.keyRange.start,
    "instanceID",
    "added",
    `instanceID: ${value}; keep it for ever, and use it for all organizations of the cluster`,
  );
}

function derived(rewriting: Rewriting): string | undefined {
  const name = movedValue(rewriting, "k8sCluster", "name");
  const region =
    movedValue(rewriting, "k8sCluster", "region") ?? rewriting.options.region;
  if (name === undefined) return undefined;
  const whole = region === undefined ? name : `${name}-${region}`;
  let identity = [...whole].slice(0, LIMIT).join("");
  while (identity.endsWith("-")) identity = identity.slice(0, -1);
  return identity;
}
