/** Value for the option `dispatcher` of Node's `fetch`. */
export type FetchDispatcher = object;

/**
 * Creates a dispatcher without timeouts. The default dispatcher of Node's
 * `fetch` aborts a response if its headers take longer than 300 s to arrive.
 * Node does not export the class of the dispatcher, so the class is taken from
 * the global dispatcher. Returns undefined if the global dispatcher can't be
 * used.
 */
export function dispatcherWithoutTimeouts(): FetchDispatcher | undefined {
  // Evaluating this expression makes Node create the global dispatcher.
  void new Headers();
  const current = (globalThis as Record<symbol, unknown>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  const Agent = Object(current).constructor as
    (new (options: object) => FetchDispatcher) | undefined;
  if (current === undefined || Agent === undefined) return undefined;
  // A dispatcher that the environment has installed applies its own timeouts.
  if (Agent.name !== "Agent") return undefined;
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
}
