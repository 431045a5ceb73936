// Module that scripts/build.mjs bundles from src/site/browser.

declare module "#built/site-script.js" {
  const script: string;
  export default script;
}
