import { pointerOf, tokensOf } from "../../diagnostics/types.js";
import type { Method, Schema } from "../../model/ir.js";
import type { Collector, ComparedObject } from "../collector.js";
import type { MethodPair, Pair, ParameterPair } from "../rule.js";
import { REQUEST, RESPONSE } from "../severity.js";
import { matchCommonParameters, matchParameters } from "./match-parameters.js";
import { valueAt, visitValue } from "./visit-values.js";

/** Runs the rules about methods, their parameters and bodies. */
export function visitMethods(
  pairs: readonly MethodPair[],
  collector: Collector,
): void {
  const { old, new: now } = collector.documents;
  for (const pair of matchCommonParameters(old.api, now.api)) {
    const path = ["parameters", (pair.old ?? pair.new)!.name];
    const site = {
      key: "common",
      label: "common",
      pointers: { old: undefined, new: undefined },
      directions: REQUEST,
    };
    visitParameter(pair, path, path, site, collector);
  }
  for (const pair of pairs) visitMethod(pair, collector);
}

function visitMethod(pair: MethodPair, collector: Collector): void {
  const { old, new: now } = pair;
  const { id } = (old ?? now)!;
  const site: ComparedObject = {
    label: id,
    key: `method ${id}`,
    method: now?.id ?? id,
    pointers: { old: old?.pointer, new: now?.pointer },
    directions: 0,
  };
  collector.visit("method", pair, site);
  if (old === undefined || now === undefined) return;
  visitParameters(old, now, site, collector);
  const { request, response } = now;
  visitBody("request", { old: old.request, new: request }, site, collector);
  visitBody("response", { old: old.response, new: response }, site, collector);
}

function visitParameters(
  old: Method,
  now: Method,
  site: ComparedObject,
  collector: Collector,
): void {
  const apis = {
    old: collector.documents.old.api,
    new: collector.documents.new.api,
  };
  for (const pair of matchParameters(old, now, apis)) {
    const pathOf = (
      method: Method,
      parameter: Pair<{ name: string }>["old"],
    ) =>
      method.headers?.some((one) => one === parameter) === true
        ? tokensOf(method.pointer)
        : [...tokensOf(method.pointer), "parameters", parameter?.name ?? ""];
    visitParameter(
      pair,
      pathOf(old, pair.old),
      pathOf(now, pair.new),
      site,
      collector,
    );
  }
}

function visitParameter(
  pair: ParameterPair,
  oldPath: readonly string[],
  newPath: readonly string[],
  owner: ComparedObject,
  collector: Collector,
): void {
  const { old, new: now } = pair;
  const { name } = (old ?? now)!;
  const site: ComparedObject = {
    ...owner,
    label: `${owner.label} parameter ${name}`,
    key: `${owner.key} parameter ${name}`,
    pointers: {
      old: old === undefined ? undefined : pointerOf(oldPath),
      new: now === undefined ? undefined : pointerOf(newPath),
    },
    directions: REQUEST,
  };
  collector.visit("parameter", pair, site);
  if (old === undefined || now === undefined) return;
  const { documents } = collector;
  visitValue(
    {
      old: valueAt(old, site.pointers.old, documents.old),
      new: valueAt(now, site.pointers.new, documents.new),
      where: "parameter",
    },
    site,
    collector,
    old.name === "alt",
  );
}

function visitBody(
  field: "request" | "response",
  { old, new: now }: Pair<Schema>,
  owner: ComparedObject,
  collector: Collector,
): void {
  if (old === undefined || now === undefined) return;
  const { documents } = collector;
  const site: ComparedObject = {
    ...owner,
    label: `${owner.label} ${field}`,
    key: `${owner.key} ${field}`,
    pointers: {
      old: `${owner.pointers.old}/${field}`,
      new: `${owner.pointers.new}/${field}`,
    },
    directions: field === "request" ? REQUEST : RESPONSE,
  };
  visitValue(
    {
      old: valueAt({ schema: old }, site.pointers.old, documents.old),
      new: valueAt({ schema: now }, site.pointers.new, documents.new),
      where: "body",
    },
    site,
    collector,
  );
}
