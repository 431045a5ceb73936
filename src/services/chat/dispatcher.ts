/** Value for the option `dispatcher` of Node's `fetch`. */
export type FetchDispatcher = object;

/**
 * Creates a dispatcher without timeouts: the default one of Node's `fetch` aborts
 * responses whose headers take more than 300 s. Node does not export the class, so it is
 * taken from the global instance; returns undefined if there is none.
 */
export function dispatcherWithoutTimeouts(): FetchDispatcher | undefined {
  // Creates the global instance.
  void new Headers();
  const current = (globalThis as Record<symbol, unknown>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  const Agent = Object(current).constructor as
    (new (options: object) => FetchDispatcher) | undefined;
  if (current === undefined || Agent === undefined) return undefined;
  // An environment with another class sets its own timeouts.
  if (Agent.name !== "Agent") return undefined;
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
}
