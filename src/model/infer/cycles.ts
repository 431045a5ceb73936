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
export function cyclesOf(
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
