// The build injects this file into all modules (scripts/build.mjs), so that
// everything a run of `gen` loads is in one chunk of the bundle.
import "./main.js";
