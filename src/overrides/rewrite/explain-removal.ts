import { entryOf, isNothing, type Entry, type Node } from "../document/tree.js";
import { pathText, shownKey, shownText } from "../display-text.js";
import { MASK } from "../redact.js";
import { isHiddenKey } from "../secrets.js";
import type { FilePath } from "../key-path.js";
import { knowledge } from "../schema/property-index.js";
import { explainHosts, explainRoutes } from "./virtual-hosts.js";
import type { Rewriting } from "./session.js";

type Explain = (rewriting: Rewriting, entry: Entry, path: FilePath) => void;

/** What has to be done elsewhere, by what is removed. */
const explanations: Readonly<Record<string, Explain>> = {
  "virtualhosts[].hostAliases": explainHosts,
  "virtualhosts[].routingRules": explainRoutes,
  "connectAgent.enabled": explainConnect,
  "mart.hostAlias": (rewriting, { value }) => {
    if (value.kind === "scalar")
      rewriting.instruct(
        "other",
        `the host name ${value.text} of MART is not used any more: remove it from name servers and firewalls when the upgrade is done`,
      );
  },
  ingress: explainIngress,
  istio: images("service mesh"),
  certmanager: images("certificate manager"),
  certmanagerwebhook: images("certificate manager"),
  certmanagercainjector: images("certificate manager"),
};

/** Notes a removal, and what it leaves to do. */
export function explainRemoval(
  rewriting: Rewriting,
  general: string,
  entry: Entry,
  path: FilePath,
): void {
  const { row } = knowledge().byPath.get(general)!;
  rewriting.noteChange(
    entry.keyRange.start,
    pathText(path),
    "removed",
    row.removed ?? `${entry.key} is gone`,
  );
  explanations[general]?.(rewriting, entry, path);
}

function explainConnect(rewriting: Rewriting, { value }: Entry): void {
  if (value.kind === "scalar" && value.value === false)
    rewriting.warn(
      "Connect was switched off and is always on from 1.3 on: enable its API and bind its role to MART's account",
    );
}

function explainIngress(rewriting: Rewriting, { value }: Entry): void {
  for (const { key, value: own } of membersOf(value)) {
    const address = entryOf(own, "loadBalancerIP")?.value;
    if (address?.kind === "scalar" && !isNothing(address))
      rewriting.instruct(
        "service mesh",
        key === "mart"
          ? `the address ${address.text} of MART's load balancer is free when the upgrade is done`
          : `give the ingress gateway's service of the mesh the loadBalancerIP ${address.text}`,
      );
    else if (own.kind === "scalar" && !isTls(key))
      rewriting.instruct(
        "service mesh",
        `ingress.${shownKey(key)} was ${isHiddenKey(key) ? MASK : shownText(own.text)}: set it in the mesh's configuration`,
      );
  }
}

/** TLS bounds of the ingress become those of each virtual host. */
export function isTls(key: string): boolean {
  return /^(min|max)TLSProtocolVersion$/.test(key);
}

function membersOf(node: Node): readonly Entry[] {
  return node.kind === "map" ? node.entries : [];
}

function images(subject: "service mesh" | "certificate manager"): Explain {
  return (rewriting, { key, value }) => {
    const visit = (node: Node, path: string): void => {
      const url = entryOf(node, "url")?.value;
      if (url?.kind === "scalar")
        rewriting.instruct(
          subject,
          `${path} came from ${url.text}: set that in the manifest that installs it now`,
        );
      for (const member of membersOf(node))
        visit(member.value, `${path}.${member.key}`);
    };
    visit(value, key);
  };
}
