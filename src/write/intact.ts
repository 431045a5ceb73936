import { hasHash, hasHashIn } from "./file-content.js";
import { PathInspector, type FileState } from "./path-inspector.js";

/**
 * Two changes to a file within this number of milliseconds can have the same
 * timestamp, because some file systems store times in steps of two seconds.
 * Files that were changed more recently are compared by content.
 */
const TIME_STEP = 2500;

/**
 * Size, timestamps and inode number of files with the expected content, keyed by
 * path relative to the folder of the API or runtime.
 */
export type KnownStates = Readonly<Record<string, string>>;

/**
 * Tests whether all files of an API or runtime exist and have the given hashes.
 */
export function isIntact(
  folder: string,
  files: Readonly<Record<string, string>>,
  out: string,
): boolean {
  const inspector = new PathInspector(out);
  return Object.entries(files).every(([name, expected]) =>
    hasHash(out, `${folder}/${name}`, inspector, expected),
  );
}

/**
 * Returns the states (size, timestamps and inode number) of the files of an API
 * or runtime. Later runs compare these states instead of the files' content.
 * Returns undefined unless all files exist and have the given hashes.
 * @param known states that an earlier run recorded after it compared the files'
 *   content. A file with an unchanged state is not read again.
 */
export function intactStates(
  folder: string,
  files: Readonly<Record<string, string>>,
  out: string,
  known: KnownStates,
): KnownStates | undefined {
  const inspector = new PathInspector(out);
  const states: Record<string, string> = {};
  const latest = Date.now() - TIME_STEP;
  for (const name of Object.keys(files)) {
    const relative = `${folder}/${name}`;
    const state = inspector.inspect(relative);
    if (typeof state === "string") return undefined;
    const text = stateText(state);
    const isKnown = Object.hasOwn(known, name) && known[name] === text;
    if (!isKnown && !hasHashIn(out, relative, state, files[name]!))
      return undefined;
    if (isKnown || Math.max(state.mtimeMs, state.ctimeMs) < latest)
      states[name] = text;
  }
  return states;
}

/**
 * Returns the state of a file as a string. The state includes the inode change
 * time (ctime), because programs can set the modification time but not the
 * ctime.
 */
function stateText({ size, mtimeMs, ctimeMs, ino }: FileState): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
