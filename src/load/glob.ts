// A module of its own, so that the library is loaded on demand, and bundled like
// the package's own modules.
export { globSync } from "tinyglobby";
