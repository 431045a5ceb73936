const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Parses a Kubernetes quantity or a Java heap size; returns NaN for other text.
 */
export function parseQuantity(text: string): number {
  const found = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text);
  if (found === null) return Number.NaN;
  const [, digits = "", suffix = ""] = found;
  const factor = suffix === "" ? 1 : FACTORS[suffix];
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}
