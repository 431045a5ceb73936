// This is a separate module, so that the library is loaded on demand and is
// bundled like modules of this package.
export { globSync } from "tinyglobby";
