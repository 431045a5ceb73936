import { writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../support/paths.js";
import { compilerCommand } from "../support/compiler.js";
import { run } from "./process.js";
import { isFull } from "../support/full.js";

/** Compilers that must accept generated code. */
const ALL_COMPILERS = {
  "5.9": "ts5",
  "6": "ts6",
  "7": "typescript",
} as const;

/** Compilers of this run: the newest in `npm test`, all of them in the project `long`. */
export const COMPILERS: Readonly<Partial<Record<Compiler, string>>> = isFull
  ? ALL_COMPILERS
  : { "7": "typescript" };

/** Platforms of generated code: libraries and type packages. */
export const PLATFORMS = {
  DOM: { lib: ["ES2022", "DOM"], types: [] },
  "@types/node": { lib: ["ES2022"], types: ["node"] },
} as const;

/** A version of TypeScript. */
export type Compiler = keyof typeof ALL_COMPILERS;

/** A set of libraries. */
export type Platform = keyof typeof PLATFORMS;

/** Flags under which generated code must compile. */
const FLAGS = {
  target: "ES2022",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
  noEmit: true,
};

/** Every pair of a compiler and a platform. */
export const MATRIX: readonly (readonly [Compiler, Platform])[] = (
  Object.keys(COMPILERS) as Compiler[]
).flatMap((compiler) =>
  (Object.keys(PLATFORMS) as Platform[]).map(
    (platform) => [compiler, platform] as const,
  ),
);

/**
 * Type-checks files below a folder.
 *
 * @param include paths relative to the folder.
 * @param flags in addition to those under which generated code must compile.
 * @returns the errors as the compiler prints them; empty if there are none.
 */
export async function typecheck(
  folder: string,
  compiler: Compiler,
  platform: Platform,
  include: readonly string[],
  flags: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const config = path.join(
    folder,
    `tsconfig.${compiler}.${platform.replace(/\W/g, "")}.json`,
  );
  const compilerOptions = {
    ...FLAGS,
    ...PLATFORMS[platform],
    typeRoots: [path.join(ROOT, "node_modules/@types")],
    ...flags,
  };
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(config, JSON.stringify({ compilerOptions, include }));
  const command = compilerCommand(ALL_COMPILERS[compiler], config);
  const { code, output } = await run(command.program, command.args, {
    cwd: folder,
    env: command.env,
  });
  return code === 0 ? "" : output;
}
