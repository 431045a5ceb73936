// Converts the sources of the runtimes to readable JavaScript and declarations,
// with the comments of the sources, for output of `gen --emit js`. This runs when
// the package is built, so that `gen` needs no compiler.
import { format } from "prettier";
import ts from "ts6";

/** Comment that keeps a blank line, which the compiler removes otherwise. */
const BLANK = "//@blank-line";

const compilerOptions = {
  // The sources have only syntax of ES2022; with this target, classes would be rewritten.
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  strict: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
  declaration: true,
};

/** Returns the JavaScript and the declarations of a TypeScript file. */
export async function toJavaScript(fileName, text) {
  const { outputText } = ts.transpileModule(markBlankLines(text), {
    fileName,
    compilerOptions,
    reportDiagnostics: true,
  });
  const declared = ts.transpileDeclaration(text, {
    fileName,
    compilerOptions,
    reportDiagnostics: true,
  });
  for (const { messageText } of declared.diagnostics ?? [])
    throw new Error(
      `${fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  return {
    code: await print(unmarkBlankLines(outputText), "babel"),
    declarations: await print(
      separateStatements(declared.outputText),
      "typescript",
    ),
  };
}

function markBlankLines(text) {
  return text.replace(/\n(?=\n)/g, `\n${BLANK}`);
}

/** Restores blank lines; removes those at the start and end of blocks. */
function unmarkBlankLines(text) {
  return text.replaceAll(new RegExp(`^[ ]*${BLANK}$`, "gm"), "");
}

/** Inserts blank lines between the declarations of a file. */
function separateStatements(text) {
  return text.replace(
    /(?<!\*\/)\n(?=\/\*\*|export (?!(?:type )?(?:\{|\*)))/g,
    "\n\n",
  );
}

/** Formats a file until it does not change, since passes can differ. */
async function print(text, parser) {
  const once = await format(text, { parser });
  return format(once, { parser });
}
