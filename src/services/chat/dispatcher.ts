/** Value for the option `dispatcher` of Node's `fetch`. */
export type FetchDispatcher = object;

/**
 * Creates a dispatcher without timeouts. The default dispatcher of Node's
 * `fetch` aborts a response if its headers take more than 300 s. Node does not
 * export the class of the dispatcher, so it is taken from the global instance.
 * Returns undefined if that instance can't be used.
 */
export function dispatcherWithoutTimeouts(): FetchDispatcher | undefined {
  // This expression makes Node create the global dispatcher.
  void new Headers();
  const current = (globalThis as Record<symbol, unknown>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  const Agent = Object(current).constructor as
    (new (options: object) => FetchDispatcher) | undefined;
  if (current === undefined || Agent === undefined) return undefined;
  // A dispatcher class that the environment has installed sets its own
  // timeouts.
  if (Agent.name !== "Agent") return undefined;
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
}
