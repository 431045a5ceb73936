import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type ArchiveWriter,
  type Progress,
  writeArchive,
} from "./archive-writer.js";
import type { ArchiveStorage } from "./archive-storage.js";
import type { MigrationConfig } from "./config.js";
import { type GitFolder, withPrivateGitFolder } from "./git-folder.js";
import { git, type GitLimits } from "./git.js";
import { archiveFile, type MigrationRecord } from "./records.js";
import { references, releases } from "./references.js";
import {
  type BareRepository,
  listRepositories,
  orgFolders,
  readRepository,
} from "./repositories.js";
import { RepositoryError } from "./repository-files.js";

/** Migration record, config and limits of an export. */
interface ExportJob {
  readonly record: MigrationRecord;
  readonly config: MigrationConfig;
  /** Folder for the temporary files of this export. */
  readonly folder: string;
  readonly limits: GitLimits;
  readonly progress: Progress;
}

/** Folder for temporary files of exports, and storage of archives. */
interface ExportTarget {
  readonly work: string;
  readonly storage: ArchiveStorage;
}

/**
 * Writes the archive of a migration.
 *
 * @returns size in bytes
 * @throws Error with the reason if the export fails
 */
export async function exportMigration(
  record: MigrationRecord,
  config: MigrationConfig,
  { work, storage }: ExportTarget,
  signal: AbortSignal,
  progress: Progress,
): Promise<number> {
  const folder = path.join(work, randomUUID());
  const limits = { timeout: config.gitSeconds * 1000, signal };
  signal.throwIfAborted();
  await mkdir(folder);
  try {
    const settings = {
      output: storage.create(archiveFile(record)),
      progress,
      time: new Date(record.createdAt),
      limit: config.archiveBytes,
      signal,
    };
    const job = { record, config, folder, limits, progress };
    return await writeArchive(settings, (writer) => fillArchive(job, writer));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fillArchive(
  job: ExportJob,
  writer: ArchiveWriter,
): Promise<void> {
  const { flags } = job.record;
  await writer.json("schema.json", { version: 1 });
  const hasMetadata = flags.org_metadata_only || !flags.exclude_metadata;
  if (hasMetadata) await addOrganization(job, writer);
  if (flags.org_metadata_only) return;
  const repositories = await listRepositories(job.config.root, job.record.org);
  for (const name of job.record.repositories) {
    const repository = repositories.get(name);
    if (repository === undefined)
      throw new Error(`The repository ${name} no longer exists.`);
    await addRepository(job, repository, writer);
    job.progress.repositories++;
  }
}

async function addOrganization(
  { record, config }: ExportJob,
  writer: ArchiveWriter,
): Promise<void> {
  const { flags, guid, org, createdAt } = record;
  const account = config.organizations.get(org);
  await writer.json("migration.json", {
    guid,
    created_at: new Date(createdAt).toISOString(),
    organization: account?.login ?? org,
    repositories: record.repositories,
    ...flags,
  });
  await writer.json("organization.json", {
    login: account?.login ?? org,
    owners: [...(account?.owners ?? [])],
  });
  if (flags.exclude_owner_projects && !flags.org_metadata_only) return;
  await writer.json("projects.json", await projectsOf(config.root, org));
}

async function addRepository(
  job: ExportJob,
  repository: BareRepository,
  writer: ArchiveWriter,
): Promise<void> {
  const { folder: scratch, limits } = job;
  await withPrivateGitFolder(repository.folder, scratch, limits, (gitFolder) =>
    addContent(job, repository, gitFolder, writer),
  ).catch((error: unknown) => {
    if (!(error instanceof RepositoryError)) throw error;
    throw new Error(`${repository.name}: ${error.message}`);
  });
}

async function addContent(
  job: ExportJob,
  repository: BareRepository,
  gitFolder: GitFolder,
  writer: ArchiveWriter,
): Promise<void> {
  const { name, folder } = repository;
  const { flags } = job.record;
  const bundle = `repositories/${name}.bundle`;
  const hasBundle =
    !flags.exclude_git_data && (await hasReferences(gitFolder, job.limits));
  if (hasBundle) await addBundle(job, gitFolder.folder, bundle, writer);
  if (!flags.exclude_git_data) await addLargeFiles(repository, writer);
  if (flags.exclude_metadata) return;
  const details = toJson(
    await readRepository(repository, gitFolder, job.limits),
  );
  await addJson(job, writer, `repositories/${name}.json`, {
    ...details,
    bundle: hasBundle ? bundle : null,
    references: references(gitFolder.folder, job.limits),
  });
  if (!flags.exclude_releases)
    await addJson(
      job,
      writer,
      `releases/${name}.json`,
      releases(gitFolder.folder, job.limits),
    );
  if (!flags.exclude_attachments)
    await archiveFolder(
      folder.replace(/\.git$/, ".attachments"),
      `attachments/${name}`,
      writer,
    );
}

async function hasReferences(
  { folder }: GitFolder,
  limits: GitLimits,
): Promise<boolean> {
  for await (const _ of references(folder, limits)) return true;
  return false;
}

/** JSON object whose last member is a list. */
interface WithReferences {
  readonly [name: string]: unknown;
  readonly references: AsyncIterable<object>;
}

/**
 * Adds JSON to the archive. Lists of any length are written to a temporary file
 * as they are read.
 */
async function addJson(
  { folder }: ExportJob,
  writer: ArchiveWriter,
  name: string,
  value: AsyncIterable<object> | WithReferences,
): Promise<void> {
  const file = path.join(folder, "list.json");
  await pipeline(jsonText(value), createWriteStream(file));
  await writer.file(name, file);
  await rm(file);
}

async function* jsonText(
  value: AsyncIterable<object> | WithReferences,
): AsyncGenerator<string> {
  if (Symbol.asyncIterator in value) {
    yield* listText(value);
  } else {
    const { references: list, ...members } = value;
    yield `${JSON.stringify(members, null, 2).replace(/\n\}$/, "")},\n  "references": `;
    yield* listText(list);
    yield "}";
  }
  yield "\n";
}

async function* listText(list: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const item of list) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : "\n]";
}

/**
 * Adds the Git LFS objects of a repository to the archive. Git LFS stores them
 * as `lfs/objects/<first two digits>/<next two digits>/<id>`.
 */
async function addLargeFiles(
  { name, folder }: BareRepository,
  writer: ArchiveWriter,
): Promise<void> {
  const lfs = path.join(folder, "lfs");
  if (await isFolder(lfs))
    await archiveFolder(path.join(lfs, "objects"), `lfs/${name}`, writer);
}

function toJson(details: Awaited<ReturnType<typeof readRepository>>): object {
  return {
    name: details.name,
    description: details.description,
    default_branch: details.defaultBranch,
  };
}

/**
 * Adds a git bundle of all references to the archive. The repository must have
 * references, because git can't create an empty bundle.
 */
async function addBundle(
  { folder: scratch, limits }: ExportJob,
  folder: string,
  name: string,
  writer: ArchiveWriter,
): Promise<void> {
  const file = path.join(scratch, "bundle");
  await git(
    folder,
    ["bundle", "create", "--quiet", "--", file, "--all"],
    limits,
  );
  await writer.file(name, file);
  await rm(file);
}

/*
 * Data that is not in git is stored in files next to the repositories. Links
 * are ignored, because their targets can be outside of the root folder.
 */

/** Maximum size of projects.json in bytes. */
const MAX_PROJECTS_BYTES = 16 * 1024 * 1024;

/**
 * Returns the projects of an organization from `projects.json` in its folder;
 * an empty list if the file is missing.
 *
 * @throws Error if the file is too large or is not JSON
 */
async function projectsOf(root: string, org: string): Promise<unknown> {
  const [folder] = await orgFolders(root, org);
  if (folder === undefined) return [];
  const file = path.join(folder, "projects.json");
  const stats = await statIfExists(file);
  if (stats?.isFile() !== true) return [];
  if (stats.size > MAX_PROJECTS_BYTES)
    throw new Error(
      `projects.json is larger than ${MAX_PROJECTS_BYTES} bytes.`,
    );
  try {
    return JSON.parse(await readFile(file, "utf8")) as unknown;
  } catch {
    throw new Error("projects.json of the organization is not valid JSON.");
  }
}

/**
 * Adds the files of a folder and its subfolders to an archive. A missing folder
 * is ignored.
 */
async function archiveFolder(
  folder: string,
  name: string,
  writer: ArchiveWriter,
): Promise<void> {
  if (!(await isFolder(folder))) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    const innerName = `${name}/${entry.name}`;
    if (entry.isDirectory()) await archiveFolder(file, innerName, writer);
    else if (entry.isFile()) await writer.file(innerName, file);
  }
}

/** Tests whether a path is a folder. A link to a folder does not count. */
async function isFolder(folder: string): Promise<boolean> {
  return (await statIfExists(folder))?.isDirectory() === true;
}

/**
 * Returns the stats of a path; undefined if the path does not exist. Rethrows
 * other errors.
 */
function statIfExists(
  file: string,
): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  return lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
