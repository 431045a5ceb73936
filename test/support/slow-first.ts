import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take more than five seconds, although most of them are small. */
const SLOW =
  /\/(cases\/(cases|servers)|cli\/(kill|overrides-upgrade|pack|watch)|compile\/(matrix|scaffold)|services\/(chat-upstream|migration-(kill|lock))|runtime\/upload|server\/(listen|node)|write\/interrupted)\.test\.ts$/;

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
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project) + (SLOW.test(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
