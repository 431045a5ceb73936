// This module is separate, so that the library is loaded on demand. The build
// bundles the library with the modules of this package.
export { globSync } from "tinyglobby";
