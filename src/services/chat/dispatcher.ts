/** What `fetch` of Node takes as `dispatcher`. */
export type Dispatcher = object;

/**
 * A dispatcher without timeouts of its own: that of Node's `fetch` ends each response whose
 * headers take 300 s, whatever the config says. Node does not export its class, but has an
 * instance of it; undefined where it has not.
 */
export function patientDispatcher(): Dispatcher | undefined {
  // Loads what `fetch` uses.
  void new Headers();
  const current = (globalThis as Record<symbol, unknown>)[
    Symbol.for("undici.globalDispatcher.1")
  ];
  const Agent = Object(current).constructor as
    (new (options: object) => Dispatcher) | undefined;
  if (current === undefined || Agent === undefined) return undefined;
  // An environment that has put in another class decides itself.
  if (Agent.name !== "Agent") return undefined;
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 });
}
