import { statSync } from "node:fs";
import path from "node:path";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { listSources } from "../load/sources.js";
import { listGitSources, type OperandSources } from "./git-sources.js";

/**
 * Function that finds the documents of an operand. Returns undefined if it does
 * not support this kind of operand, or if it has reported an error.
 */
export type OperandResolver = (
  operand: string,
  cwd: string,
  sink: Sink,
) => Promise<OperandSources | undefined>;

/** Documents of an operand, and findings about the operand. */
export interface ListedOperand extends OperandSources {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists the documents of an operand: a file, a folder, a glob, `-` for standard
 * input, `git:REVISION:PATH`, or an operand that one of the resolvers supports.
 */
export async function listOperand(
  operand: string,
  cwd: string,
  resolvers: readonly OperandResolver[] = [],
): Promise<ListedOperand> {
  const sink = new Sink();
  for (const resolve of resolvers) {
    const listed = await resolve(operand, cwd, sink);
    if (listed !== undefined || sink.hasErrors)
      return {
        sources: [],
        isSet: false,
        ...listed,
        diagnostics: sink.diagnostics,
      };
  }
  if (operand.startsWith("git:")) {
    const listed = listGitSources(operand, cwd, sink);
    return {
      sources: [],
      isSet: false,
      ...listed,
      diagnostics: sink.diagnostics,
    };
  }
  const { sources, diagnostics } = await listSources([operand], cwd);
  return { sources, isSet: isSet(operand, cwd), diagnostics };
}

function isSet(operand: string, cwd: string): boolean {
  try {
    return statSync(path.resolve(cwd, operand)).isDirectory();
  } catch {
    return operand !== "-";
  }
}
