import { entryOf, isNull, type Entry, type Node } from "../document/tree.js";
import { pathText, displayKey, displayText } from "../display-text.js";
import { MASK } from "../redact.js";
import { isHiddenKey } from "../secrets.js";
import type { KeyPath } from "../key-path.js";
import { propertyIndex } from "../schema/property-index.js";
import { explainHosts, explainRoutes, isTlsLimit } from "./virtual-hosts.js";
import type { RewriteSession } from "./rewrite-session.js";

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
export function explainRemoval(
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
        `ingress.${displayKey(key)} was ${isHiddenKey(key) ? MASK : displayText(member.text)}: set this value in the configuration of the service mesh`,
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
