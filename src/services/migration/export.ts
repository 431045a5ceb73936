import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { type ArchiveWriter, writeArchive } from "./archive-writer.js";
import { archiveFolder, isFolder, projectsOf } from "./organization-files.js";
import type { MigrationConfig } from "./config.js";
import type { Folders } from "./folders.js";
import { withPrivateGitFolder, type GitFolder } from "./git-folder.js";
import { RepositoryError } from "./repository-files.js";
import { git, type GitLimits } from "./git.js";
import { archiveFile, type MigrationRecord } from "./records.js";
import { references, releases } from "./references.js";
import {
  listRepositories,
  readRepository,
  type BareRepository,
} from "./repositories.js";

/** Migration record, config and limits of an export. */
interface ExportJob {
  readonly record: MigrationRecord;
  readonly config: MigrationConfig;
  /** Folder for the temporary files of this export. */
  readonly folder: string;
  readonly limits: GitLimits;
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
  folders: Folders,
  signal: AbortSignal,
): Promise<number> {
  const folder = path.join(folders.work, randomUUID());
  const limits = { timeout: config.gitSeconds * 1000, signal };
  await mkdir(folder);
  try {
    const settings = {
      file: folders.archive(archiveFile(record)),
      draft: path.join(folder, "draft"),
      time: new Date(record.createdAt),
      limit: config.archiveBytes,
      signal,
    };
    const job = { record, config, folder, limits };
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
  const allReferences = await references(gitFolder.folder, job.limits);
  const bundle = `repositories/${name}.bundle`;
  const hasBundle = !flags.exclude_git_data && allReferences.length > 0;
  if (hasBundle) await addBundle(job, gitFolder.folder, bundle, writer);
  if (!flags.exclude_git_data) await addLargeFiles(repository, writer);
  if (flags.exclude_metadata) return;
  await writer.json(`repositories/${name}.json`, {
    ...toJson(await readRepository(repository, gitFolder, job.limits)),
    references: allReferences,
    bundle: hasBundle ? bundle : null,
  });
  if (!flags.exclude_releases)
    await writer.json(
      `releases/${name}.json`,
      await releases(gitFolder.folder, job.limits),
    );
  if (!flags.exclude_attachments)
    await archiveFolder(
      folder.replace(/\.git$/, ".attachments"),
      `attachments/${name}`,
      writer,
    );
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
