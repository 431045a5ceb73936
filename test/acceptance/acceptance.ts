import { describe, test } from "vitest";

/** Section of a source document, and the file's statements about it. */
export interface Source {
  /** Title of the source document and number of it, such as `1`. */
  readonly seed: 1 | 2 | 3;
  readonly section: string;
}

/** Statement of a source document, and the check that decides it. */
export interface Statement {
  /** Unique id, `<area>/<subject>/<aspect>-<number>`. */
  readonly id: string;
  readonly statement: string;
  /** Fails if the statement is not true. */
  readonly check: () => unknown;
  /**
   * Heading of a row in "Decisions" of specs/README.md. The check then decides
   * whether the project behaves as that row says.
   */
  readonly decision?: string;
  /** Reason why the statement is not true today; the check must fail. */
  readonly fails?: string;
}

/** Statement as the report lists it. */
export interface Reported extends Source {
  readonly id: string;
  readonly statement: string;
  readonly decision?: string;
  readonly fails?: string;
}

declare module "vitest" {
  interface TaskMeta {
    acceptance?: Reported;
  }
}

/** Declares one test for each statement of a section. */
export function acceptance(
  source: Source,
  statements: readonly Statement[],
): void {
  describe(`${source.seed}, ${source.section}`, () => {
    for (const { check, ...row } of statements) {
      const run = row.fails === undefined ? test : test.fails;
      run(`${row.id}: ${row.statement}`, async ({ task }) => {
        task.meta.acceptance = { ...source, ...row };
        await check();
      });
    }
  });
}
