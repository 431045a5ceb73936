// Compiled in a project that installs the packed package and the bundlers.
import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin as RolldownPlugin } from "rolldown";
import type { Plugin as RollupPlugin } from "rollup";
import type { Plugin as VitePlugin, UserConfig } from "vite";
import type { RspackPluginInstance } from "@rspack/core";
import type { Configuration, WebpackPluginInstance } from "webpack";
import esbuild from "discovery-codegen/esbuild";
import rollup from "discovery-codegen/rollup";
import vite from "discovery-codegen/vite";
import webpack from "discovery-codegen/webpack";

export const vitePlugin: VitePlugin = vite({ config: "gen.config.ts" });
export const viteConfig: UserConfig = { plugins: [vite()] };
export const rollupPlugin: RollupPlugin = rollup({ check: true });
export const rolldownPlugin: RolldownPlugin = rollup();
export const esbuildPlugin: EsbuildPlugin = esbuild();
export const webpackPlugin: WebpackPluginInstance = webpack();
export const rspackPlugin: RspackPluginInstance = webpack();
export const webpackConfig: Configuration = {
  plugins: [webpack({ api: ["demo"] })],
};
// @ts-expect-error a misspelt option
vite({ confg: "x" });
