import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take the most time of their project, although most of them are small. */
const SLOW = [
  /\/cases\/(cases|servers)\./,
  /\/cli\/(kill|overrides-upgrade|pack|watch)\./,
  /\/compile\/(generated|matrix|scaffold)\./,
  /\/conformance\/(consumers|packed|standard-schema)\./,
  /\/corpus\/(compile|conformance|determinism|exports-tools|format|server)\./,
  /\/services\/(chat-upstream|migration-kill|migration-lock)\./,
  /\/unit\/runtime\/(compile|upload)\./,
  /\/unit\/server\/(listen|node|types)\./,
  /\/unit\/write\/interrupted\./,
];

/**
 * Starts slow files first, so that no worker still runs one when all others have
 * ended. Vitest orders the rest by size until it knows their durations.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(
    files: TestSpecification[],
  ): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const isSlow = SLOW.some((pattern) => pattern.test(moduleId));
      return 2 * projects.indexOf(project) + (isSlow ? 0 : 1);
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
