// Prints the results of a build, and of a build that must fail.
import path from "node:path";
import { writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { rollup } from "rollup";
import gen from "discovery-codegen/rollup";

const typescript = {
  name: "typescript",
  resolveId: (id, from) =>
    from !== undefined && id.startsWith(".")
      ? path.resolve(path.dirname(from), id.replace(/\.js$/, ".ts"))
      : undefined,
  transform: async (code) => (await transform(code, { loader: "ts" })).code,
};
const options = () => ({
  input: "src/main.ts",
  plugins: [gen(), typescript],
});
const bundle = await rollup(options());
const { output } = await bundle.generate({ format: "es" });
writeFileSync("specs/demo.json", process.argv[2]);
const failure = await rollup(options()).catch((error) => error);
console.log(
  JSON.stringify({
    isBundled: output[0].code.includes("demo.example.com"),
    watched: bundle.watchFiles
      .map((file) => path.relative(process.cwd(), file))
      .filter((file) => file.endsWith(".json"))
      .sort(),
    code: failure.pluginCode,
    line: failure.loc?.line,
    message: failure.message,
  }),
);
