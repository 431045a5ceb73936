import { Project, ts } from "ts-morph";
import { overlayFileSystem } from "../diff/uses/overlay.js";
import { projectSettings, type UserFiles } from "../diff/uses/program.js";
import { googleDeclarations, isGoogleModule } from "./google-declarations.js";

/** Path of the declarations of googleapis, which exist only in memory. */
export const DECLARATIONS = "/.gen-migrate/googleapis.d.ts";

/**
 * Opens the user's files with declarations of googleapis. Other packages are not
 * read: they can't return clients or responses of googleapis.
 * @param texts texts of the files
 */
export function openProgram(
  { config, files }: UserFiles,
  texts: readonly string[],
  cwd: string,
): ts.Program {
  const project = new Project({
    fileSystem: overlayFileSystem([], cwd),
    ...projectSettings(config, {
      allowJs: true,
      noEmit: true,
      incremental: false,
      composite: false,
      types: [],
      lib: ["lib.esnext.d.ts"],
    }),
    resolutionHost: (host, options) => ({
      resolveModuleNames: (names, from) =>
        names.map((name) => resolveModule(name, from, options(), host)),
    }),
  });
  project.createSourceFile(DECLARATIONS, googleDeclarations(texts));
  for (const [index, file] of files.entries())
    project.createSourceFile(file, withoutGapi(texts[index]!), {
      overwrite: true,
    });
  return project.getProgram().compilerObject;
}

/** Replaces `declare const gapi: any;` by spaces, because it hides that of googleapis. */
function withoutGapi(text: string): string {
  return text.replace(DECLARED_GAPI, (match) => " ".repeat(match.length));
}

/** Declaration of gapi in the user's code. */
export const DECLARED_GAPI = /\bdeclare (?:const|let|var) gapi\s*:[^;\r\n]*;?/g;

function resolveModule(
  name: string,
  from: string,
  options: ts.CompilerOptions,
  host: ts.ModuleResolutionHost,
): ts.ResolvedModule | undefined {
  if (isGoogleModule(name)) return { resolvedFileName: DECLARATIONS };
  if (!name.startsWith(".") && options.paths === undefined) return undefined;
  const found = ts.resolveModuleName(name, from, options, host).resolvedModule;
  return found === undefined ||
    found.isExternalLibraryImport === true ||
    found.resolvedFileName.includes("/node_modules/")
    ? undefined
    : found;
}
