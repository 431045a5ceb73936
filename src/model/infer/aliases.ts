import type { Sink } from "../../diagnostics/sink.js";
import type { Body, Definition, Mutable, Schema } from "../ir.js";

type Definitions = ReadonlyMap<string, Mutable<Definition>>;

/**
 * Number of rounds in which each cycle is broken at only one schema. In later
 * rounds, each cycle is broken at all of its schemas. Published documents need
 * one round.
 */
const MAX_ROUNDS = 100;

/**
 * Maximum length of an alias chain that is not shortened. Longer chains must be
 * shortened, because later stages follow chains recursively.
 */
const MAX_CHAIN = 64;

/**
 * Breaks circular alias chains, because a type can't be an alias of itself. An
 * alias in a cycle becomes `any`; options of a variant that are part of the
 * cycle are removed. Circular references through lists, maps and objects are
 * allowed.
 */
export function breakAliasCycles(definitions: Definitions, sink: Sink): void {
  let pending = [...definitions.keys()].filter(
    (id) => targetsOf(definitions.get(id)).length > 0,
  );
  if (pending.length === 0) return;
  for (let round = 1; pending.length > 0; round++) {
    const cycles = cyclesOf(pending, (id) => targetsOf(definitions.get(id)));
    for (const cycle of cycles) {
      const first = [...cycle].reduce((a, b) => (a < b ? a : b));
      for (const id of round > MAX_ROUNDS ? cycle : [first])
        breakCycle(definitions.get(id)!, cycle, sink);
    }
    pending = cycles.flatMap((cycle) => [...cycle]);
  }
  shortenChains(definitions);
}

function breakCycle(
  definition: Mutable<Definition>,
  cycle: ReadonlySet<string>,
  sink: Sink,
): void {
  const { id, pointer, body } = definition;
  sink.report("ref-cycle", `schema ${id} refers only to itself`, pointer);
  definition.body =
    body.kind === "variant"
      ? {
          ...body,
          options: body.options.filter((option) => !cycle.has(option.id)),
        }
      : { kind: "alias", schema: { kind: "any" } };
}

function targetsOf(definition: Definition | undefined): string[] {
  const body = definition?.body;
  if (body?.kind === "variant") return body.options.map(({ id }) => id);
  const target = body && aliasOf(body);
  return target === undefined ? [] : [target];
}

function aliasOf(body: Body): string | undefined {
  return body.kind === "alias" && body.schema.kind === "ref"
    ? body.schema.id
    : undefined;
}

/**
 * Shortens long chains of aliases: each alias then refers directly to the end
 * of its chain. The result is nullable if any alias in the chain is nullable.
 */
function shortenChains(definitions: Definitions): void {
  const ends = new Map<
    string,
    { readonly hops: number; readonly end: Schema }
  >();
  for (const start of definitions.keys()) {
    const chain: Mutable<Definition>[] = [];
    let next: string | undefined = start;
    while (next !== undefined && !ends.has(next)) {
      const definition = definitions.get(next);
      const target = definition && aliasOf(definition.body);
      if (target === undefined) break;
      chain.push(definition!);
      next = target;
    }
    let { hops, end } = ends.get(next!) ?? {
      hops: 0,
      end: { kind: "ref", id: next! } as Schema,
    };
    for (const definition of chain.reverse()) {
      const { schema } = definition.body as Extract<Body, { kind: "alias" }>;
      const isNullable = schema.nullable === true || end.nullable === true;
      end = isNullable ? { ...end, nullable: true } : end;
      hops++;
      if (hops > MAX_CHAIN) definition.body = { kind: "alias", schema: end };
      ends.set(definition.id, { hops, end });
    }
  }
}

/** State of a node that the depth-first search has visited. */
interface Visit {
  readonly id: string;
  readonly targets: readonly string[];
  readonly index: number;
  /** Smallest index of any node that is reachable from this node. */
  low: number;
  /**
   * Number of outgoing references of this node that the search has followed.
   */
  followed: number;
  isOpen: boolean;
}

/**
 * Returns the strongly connected components of a graph that contain a cycle
 * (Tarjan 1972). Runs in linear time and without recursion. References to
 * unknown ids are ignored.
 */
function cyclesOf(
  ids: readonly string[],
  targetsOf: (id: string) => readonly string[],
): ReadonlySet<string>[] {
  const nodes = new Set(ids);
  const visits = new Map<string, Visit>();
  const open: Visit[] = [];
  const path: Visit[] = [];
  const cycles: ReadonlySet<string>[] = [];
  const enter = (id: string): void => {
    const index = visits.size;
    const targets = targetsOf(id).filter((target) => nodes.has(target));
    const visit = { id, targets, index, low: index, followed: 0, isOpen: true };
    visits.set(id, visit);
    open.push(visit);
    path.push(visit);
  };
  for (const id of ids) {
    if (!visits.has(id)) enter(id);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = visit.targets[visit.followed++];
      const known = target === undefined ? undefined : visits.get(target);
      if (known?.isOpen === true) visit.low = Math.min(visit.low, known.index);
      else if (target !== undefined && known === undefined) enter(target);
      else if (target === undefined) {
        path.pop();
        const before = path.at(-1);
        if (before !== undefined) before.low = Math.min(before.low, visit.low);
        if (visit.low === visit.index) addCycle(close(visit, open), cycles);
      }
    }
  }
  return cycles;
}

/**
 * Removes the nodes of a completed component from the stack of open nodes and
 * returns them.
 */
function close(root: Visit, open: Visit[]): Visit[] {
  const component: Visit[] = [];
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    visit.isOpen = false;
    component.push(visit);
    if (visit === root) break;
  }
  return component;
}

/**
 * Adds a component to the result if it is a cycle. A single node is a cycle
 * only if it refers to itself.
 */
function addCycle(
  component: readonly Visit[],
  cycles: ReadonlySet<string>[],
): void {
  const [first] = component;
  const isCycle =
    component.length > 1 || first?.targets.includes(first.id) === true;
  if (isCycle) cycles.push(new Set(component.map(({ id }) => id)));
}
