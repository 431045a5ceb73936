import {
  type Entry,
  type MapNode,
  type Node,
  entryOf,
  isNull,
} from "../document/tree.js";
import {
  displayText,
  generalPath,
  pathText,
  type KeyPath,
} from "../key-path.js";
import { propertyIndex, type Property } from "../schema/property-index.js";
import { isRemovedIn, isSupportedIn } from "../../runtime/rules/versions.js";
import type { RewriteSession } from "./rewrite-session.js";
import { MASK } from "../redact.js";
import { isHiddenKey } from "../secrets.js";
import { explainHosts, explainRoutes, isTlsLimit } from "./virtual-hosts.js";

/**
 * Removes all keys that the new version does not support, except for the
 * top-level keys of version 1.1 ("flat keys"), which `moveFlatKeys` moves.
 */
export function removeUnsupportedProperties(session: RewriteSession): void {
  new PropertyRemoval(session).visitMap(session.root, propertyIndex().root, []);
}

class PropertyRemoval {
  readonly #session: RewriteSession;
  readonly #version: string;
  /**
   * Map from the offset of a key to the decision whether to remove the key. A
   * key that is used through aliases has several paths, which can lead to
   * different decisions.
   */
  readonly #verdicts = new Map<number, { isGone: boolean; path: string }>();

  constructor(session: RewriteSession) {
    this.#session = session;
    const { rules } = propertyIndex();
    this.#version = rules.targets[rules.defaultTarget]!;
  }

  visitMap(node: MapNode, property: Property, path: KeyPath): void {
    const removed: Entry[] = [];
    for (const entry of node.entries) {
      if (entry.isMerged === true) continue;
      const member = property.members.get(entry.key) ?? property.wildcard;
      if (member === undefined) continue;
      const entryPath = [...path, entry.key];
      const isOut = this.#isRemoved(member);
      const isNew = this.#recordVerdict(entry, isOut, member, entryPath);
      if (!isOut) this.#visitValue(entry.value, member, entryPath);
      else if (isNew) {
        removed.push(entry);
        explainRemoval(this.#session, generalPath(entryPath), entry, entryPath);
      }
    }
    if (removed.length > 0) this.#session.removeEntries(node, removed);
  }

  #visitValue(node: Node, property: Property, path: KeyPath): void {
    if (node.kind === "map") this.visitMap(node, property, path);
    if (node.kind !== "list" || property.item === undefined) return;
    for (const [index, item] of node.items.entries())
      this.#visitValue(item, property.item, [...path, index]);
  }

  /**
   * Tests whether the new version no longer supports a property. Returns false
   * for the top-level keys of version 1.1 ("flat keys"), because `moveFlatKeys`
   * moves them.
   */
  #isRemoved({ row, parent }: Property): boolean {
    const isFlat = parent?.row.path === "" && row.deprecatedSince !== undefined;
    return !isFlat && isRemovedIn(row, this.#version);
  }

  /**
   * Records the decision whether to remove a key, and returns true if it is the
   * first decision for this key. Refuses to rewrite the file if another alias
   * of the key led to a different decision.
   */
  #recordVerdict(
    entry: Entry,
    isOut: boolean,
    { row }: Property,
    entryPath: KeyPath,
  ): boolean {
    if (!isOut && !isSupportedIn(this.#version, row)) return true;
    const { start } = entry.keyRange;
    const path = pathText(entryPath);
    const known = this.#verdicts.get(start);
    if (known === undefined) {
      this.#verdicts.set(start, { isGone: isOut, path });
      return true;
    }
    const line = this.#session.layout.lineOf(start);
    if (known.isGone !== isOut)
      this.#session.addRefusal(
        `line ${line}: ${known.path} and ${path} share a key through a YAML alias, but only one of them must be removed; replace the alias with its value first`,
      );
    else if (isOut)
      this.#session.addWarning(
        `line ${line}: the removed key was used as ${known.path} and, through a YAML alias, also as ${path}`,
      );
    return false;
  }
}

type ExplainRemoval = (
  session: RewriteSession,
  entry: Entry,
  path: KeyPath,
) => void;

/**
 * Functions that add instructions to the rewrite report, keyed by path of the
 * removed property.
 */
const explanations: Readonly<Record<string, ExplainRemoval>> = {
  "virtualhosts[].hostAliases": explainHosts,
  "virtualhosts[].routingRules": explainRoutes,
  "connectAgent.enabled": explainConnect,
  "mart.hostAlias": (session, { value }) => {
    if (value.kind === "scalar")
      session.addInstruction(
        "other",
        `MART no longer uses the host name ${value.text}: remove it from DNS and firewalls after the upgrade`,
      );
  },
  ingress: explainIngress,
  istio: explainImages("service mesh"),
  certmanager: explainImages("certificate manager"),
  certmanagerwebhook: explainImages("certificate manager"),
  certmanagercainjector: explainImages("certificate manager"),
};

/**
 * Adds a removed property to the report, with instructions for replacing it.
 */
function explainRemoval(
  session: RewriteSession,
  general: string,
  entry: Entry,
  path: KeyPath,
): void {
  const { row } = propertyIndex().byPath.get(general)!;
  session.addChange(
    entry.keyRange.start,
    pathText(path),
    "removed",
    row.removed ?? `${entry.key} was removed`,
  );
  explanations[general]?.(session, entry, path);
}

function explainConnect(session: RewriteSession, { value }: Entry): void {
  if (value.kind === "scalar" && value.value === false)
    session.addWarning(
      "Connect was disabled, but version 1.3 always enables it: enable the Connect API, and bind the role of the connect agent to the MART service account",
    );
}

function explainIngress(session: RewriteSession, { value }: Entry): void {
  for (const { key, value: member } of membersOf(value)) {
    const address = entryOf(member, "loadBalancerIP")?.value;
    if (address?.kind === "scalar" && !isNull(address))
      session.addInstruction(
        "service mesh",
        key === "mart"
          ? `the address ${address.text} of the MART load balancer can be released after the upgrade`
          : `set loadBalancerIP in the ingress gateway service of the service mesh to ${address.text}`,
      );
    else if (member.kind === "scalar" && !isTlsLimit(key))
      session.addInstruction(
        "service mesh",
        `ingress.${displayText(key)} was ${isHiddenKey(key) ? MASK : displayText(member.text)}: set this value in the configuration of the service mesh`,
      );
  }
}

function membersOf(node: Node): readonly Entry[] {
  return node.kind === "map" ? node.entries : [];
}

function explainImages(
  subject: "service mesh" | "certificate manager",
): ExplainRemoval {
  return (session, { key, value }) => {
    const visit = (node: Node, path: string): void => {
      const url = entryOf(node, "url")?.value;
      if (url?.kind === "scalar")
        session.addInstruction(
          subject,
          `the image ${path} was ${url.text}: set this image in the new installation manifest`,
        );
      for (const member of membersOf(node))
        visit(member.value, `${path}.${member.key}`);
    };
    visit(value, key);
  };
}
