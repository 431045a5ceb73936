// Prints the results of a build, and of a build that must fail:
// node webpack.mjs <broken document> <package of the bundler>
import path from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import gen from "discovery-codegen/webpack";

const { default: webpack } = await import(process.argv[3]);
const LOADER = `module.exports = (code) =>
  require("esbuild").transformSync(code, { loader: "ts" }).code;`;
writeFileSync("loader.cjs", LOADER);
const run = () =>
  new Promise((resolve, reject) =>
    webpack(
      {
        mode: "production",
        entry: "./src/main.ts",
        output: { path: path.resolve("dist"), filename: "webpack.js" },
        resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
        module: { rules: [{ test: /\.ts$/, use: path.resolve("loader.cjs") }] },
        plugins: [gen()],
      },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    ),
  );
const good = await run();
const text = readFileSync("dist/webpack.js", "utf8");
const watched = [...good.compilation.fileDependencies];
writeFileSync("specs/demo.json", process.argv[2]);
const bad = await run();
console.log(
  JSON.stringify({
    errors: good.compilation.errors.map(({ message }) => message),
    isBundled: text.includes("demo.example.com"),
    watched: watched
      .map((file) => path.relative(process.cwd(), file))
      .filter((file) => /^(?:gen|specs).*\.json$/.test(file))
      .sort(),
    messages: bad.compilation.errors.map(({ message }) => message),
  }),
);
