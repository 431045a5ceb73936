import type { ServiceRow } from "./service.js";

/** All services, in the order in which they are asked whose path it is. */
export const services: readonly ServiceRow[] = [];
