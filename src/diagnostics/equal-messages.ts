import type { Diagnostic } from "./types.js";

/** Message about an API. */
export interface ApiMessage {
  /** Label of the API. */
  readonly id: string;
  readonly message: string;
}

/** Message that several APIs have in common. */
export interface EqualMessage {
  readonly ids: readonly string[];
  /** Message without the label; URLs without path if there are several APIs. */
  readonly message: string;
}

/** Maximum number of labels in a message. */
const MAX_LABELS = 5;

/**
 * Groups messages that differ only in the label of the API and in the paths of
 * URLs, such as those of a server that can't be reached.
 */
export function equalMessages(
  messages: readonly ApiMessage[],
): readonly EqualMessage[] {
  const groups = new Map<string, ApiMessage[]>();
  for (const entry of messages) {
    const key = withoutNames(entry);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups].map(([common, entries]) => ({
    ids: entries.map(({ id }) => id),
    message: entries.length === 1 ? withoutLabel(entries[0]!) : common,
  }));
}

/** Formats labels: `a:v1`, or `12 APIs (a:v1, b:v1 and 10 more)`. */
export function labelsText(ids: readonly string[]): string {
  if (ids.length === 1) return ids[0]!;
  const rest = ids.length - MAX_LABELS;
  const shown = ids.slice(0, MAX_LABELS).join(", ");
  return `${ids.length} APIs (${shown}${rest > 0 ? ` and ${rest} more` : ""})`;
}

function withoutLabel({ id, message }: ApiMessage): string {
  return message.startsWith(`${id}: `) ? message.slice(id.length + 2) : message;
}

function withoutNames(entry: ApiMessage): string {
  return withoutLabel(entry)
    .replaceAll(entry.id, "the API")
    .replace(
      /(https?:\/\/[^/\s:]+(?::\d+)?)\/[^\s;,]*?(?=:?(?:\s|$|[;,]))/g,
      "$1/…",
    );
}

/**
 * Merges findings with equal codes and messages about several APIs, such as those
 * of a server that can't be reached. Other findings are unchanged.
 */
export function mergeFindings(
  findings: readonly Diagnostic[],
): readonly Diagnostic[] {
  const merged = new Map<string, { ids: string[]; first: Diagnostic }>();
  for (const [index, finding] of findings.entries()) {
    const id = LABEL.exec(finding.message)?.[1];
    const common =
      id === undefined ? "" : withoutNames({ id, message: finding.message });
    const key = id === undefined ? String(index) : `${finding.code} ${common}`;
    const found = merged.get(key);
    if (found === undefined)
      merged.set(key, { ids: id === undefined ? [] : [id], first: finding });
    else found.ids.push(id!);
  }
  return [...merged.values()].map(({ ids, first }) =>
    ids.length < 2
      ? first
      : {
          ...first,
          message: `${labelsText(ids)}: ${withoutNames({ id: ids[0]!, message: first.message })}`,
        },
  );
}

/** Pattern for the label of an API at the start of a message. */
const LABEL = /^([A-Za-z0-9][\w.-]{0,99}:[A-Za-z0-9][\w.-]{0,99}): /;
