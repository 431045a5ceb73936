import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Path of CHROMIUM, or of the first Chromium on the path. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return CHROMIUM;
  return ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) =>
      PATH.split(path.delimiter).map((folder) => path.join(folder, name)),
    )
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
