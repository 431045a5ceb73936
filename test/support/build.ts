import { execFileSync } from "node:child_process";

/** Tests see the templates, the checker and the bundle as the sources have them now. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
