// Figures of the services for families/services.mjs, which names a file for them.
import { appendFileSync } from "node:fs";
import { median } from "./support.mjs";

/**
 * Adds a figure to the file of BENCH_FIGURES, if there is one. A limit is a maximum;
 * `isMinimum` makes it a minimum.
 */
export function figure(name, values, limit, isMinimum = false) {
  const file = process.env.BENCH_FIGURES;
  if (file === undefined) return;
  const value = {
    median: median(values),
    low: Math.min(...values),
    high: Math.max(...values),
  };
  const row = { name, value, limit, isMinimum };
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}
