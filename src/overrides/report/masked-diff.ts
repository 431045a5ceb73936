import { Lines } from "../document/lines.js";
import { readYaml } from "../document/read-yaml.js";
import { unifiedDiff, type Show } from "./unified-diff.js";
import { maskSecrets } from "./line-masker.js";

/** A difference as it may be shown, and how many of its lines are not complete. */
export interface MaskedDiff {
  readonly text: string;
  readonly hidden: number;
}

/** The difference of two overrides files, without values of secrets. */
export function maskedDiff(
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): MaskedDiff {
  const text = unifiedDiff(name, before, after, {
    before: showing(before),
    after: showing(after),
  });
  const hidden = text === "" ? 0 : countHidden(name, before, after, text);
  return { text, hidden };
}

/** Shows lines of a text, with their ends. */
function showing(text: string): Show {
  const show = maskSecrets(new Lines(text), readYaml(text).root);
  return (line, number) => {
    const end = /\r?\n$/.exec(line)?.[0] ?? "";
    return show(number).text + end;
  };
}

function countHidden(
  name: string,
  before: string,
  after: string,
  shown: string,
): number {
  const whole = unifiedDiff(name, before, after).split("\n");
  const lines = shown.split("\n");
  return lines.filter((line, index) => line !== whole[index]).length;
}
