/** Returns the chart of a result as SVG. */
export function svgOf(result: object): string;
