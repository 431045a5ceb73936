import { eventStream } from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { type Entries, jsonData } from "../shared/entries.js";

/**
 * Returns the name and schemes of the header that contains the credential
 * (`x-credential`); undefined if no header contains a credential. A credential
 * in the query string is an ordinary parameter.
 */
export function credentialData({ credential }: Method): Entries | undefined {
  if (credential?.in !== "header") return undefined;
  const { name, schemes } = credential;
  return { header: name, schemes: schemes.length > 0 ? schemes : undefined };
}

/**
 * Returns the conditions under which a response is an event stream, and the
 * data of its last event (`x-stream`).
 */
export function streamData(method: Method): Entries | undefined {
  const events = eventStream(method);
  if (events === undefined) return undefined;
  return { when: jsonData(events.when ?? {}), end: events.end };
}

/**
 * Returns the parameters and the response header of pagination with page links
 * (`x-paging`).
 */
export function linksData({ links }: Method): Entries | undefined {
  if (links === undefined) return undefined;
  const { page, size, link } = links;
  return { page, size, link };
}
