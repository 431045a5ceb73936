import { resolve } from "node:path";
import ts from "ts6";

/** TypeScript language service, as in editors, with additional files in memory. */
export function languageService(
  files: Record<string, string>,
): ts.LanguageService {
  const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
  // Without the types of Node.js, which take a third of the time.
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, types: [] },
    process.cwd(),
  );
  const read = (name: string) => files[name] ?? ts.sys.readFile(name);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => Object.keys(files),
    getScriptVersion: () => "1",
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined
        ? undefined
        : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (of) =>
      resolve("node_modules/ts6/lib", ts.getDefaultLibFileName(of)),
    fileExists: (name) => name in files || ts.sys.fileExists(name),
    readFile: read,
  });
}

/** Returns the lines of a file with compiler errors. */
export function wrongLines(
  service: ts.LanguageService,
  path: string,
): string[] {
  const source = service.getProgram()!.getSourceFile(path)!;
  const lines = source.text.split("\n");
  const found = [
    ...service.getSyntacticDiagnostics(path),
    ...service.getSemanticDiagnostics(path),
  ].map(({ start }) => source.getLineAndCharacterOfPosition(start!).line);
  return [...new Set(found)].sort((a, b) => a - b).map((at) => lines[at]!);
}
