export {
  memoryStore,
  type PartedFile,
  type TextFile as OutputFile,
  type TextPart,
  type TextStore,
} from "../platform/text-store.js";
