import type { Command } from "../command.js";
export const scaffold: Command = { options: [], run: async () => 0 };
