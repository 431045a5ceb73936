import type { RawDocument } from "../load/raw.js";
import type { Sink } from "../diagnostics/sink.js";
import { pointerTo } from "../model/build/context.js";
import type { Api } from "../model/ir.js";
import { viewDocument } from "./document-view.js";
import type { Rule, RuleLevels } from "./rule.js";
import { rules } from "./rules/index.js";

/**
 * Settings of `validateDocument`, which runs the validation rules on a
 * document.
 */
export interface ValidateOptions {
  /** Model of the document to validate. */
  readonly api: Api;
  readonly levels?: RuleLevels | undefined;
}

/** Runs the rules on a checked document and reports their findings. */
export function validateDocument(
  document: RawDocument,
  { api, levels = {} }: ValidateOptions,
  sink: Sink,
): void {
  const view = viewDocument(document, api);
  for (const rule of rules)
    if (levels[rule.id] !== "off")
      rule.check(view, (message, at) =>
        add(rule, message, pointerTo(at), sink),
      );
}

function add(
  { id, severity, cause, fix }: Rule,
  message: string,
  pointer: string,
  { diagnostics, file }: Sink,
): void {
  const location = file === undefined ? { pointer } : { file, pointer };
  diagnostics.push({ code: id, severity, message, cause, fix, ...location });
}
