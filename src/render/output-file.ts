/** Generated file. Its path contains forward slashes on all platforms. */
export type { TextFile as OutputFile } from "../platform/text-store.js";
