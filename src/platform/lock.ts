import { closeSync, openSync, rmSync } from "node:fs";
export function acquireLock(lock: string): () => void {
  closeSync(openSync(lock, "wx"));
  return () => rmSync(lock, { force: true });
}
