import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { type ArchiveWriter, writeArchive } from "./archive-writer.js";
import { addFolder, isFolder, projectsOf } from "./organization-files.js";
import type { MigrationConfig } from "./config.js";
import type { Folders } from "./folders.js";
import { withGitFolder, type GitFolder } from "./git-folder.js";
import { RepositoryError } from "./repository-files.js";
import { git, type GitLimits } from "./git.js";
import { archiveFile, type MigrationRecord } from "./records.js";
import { references, releases } from "./references.js";
import { listRepositories, lookAt, type Found } from "./repositories.js";

/** What an export works on. */
interface Work {
  readonly record: MigrationRecord;
  readonly config: MigrationConfig;
  /** Of this export alone, gone when it ends. */
  readonly folder: string;
  readonly limits: GitLimits;
}

/**
 * Writes the archive of a migration.
 *
 * @returns its size in bytes
 * @throws Error that tells why there is none
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
    const work = { record, config, folder, limits };
    return await writeArchive(settings, (writer) => fill(work, writer));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fill(work: Work, writer: ArchiveWriter): Promise<void> {
  const { flags } = work.record;
  await writer.json("schema.json", { version: 1 });
  const hasMetadata = flags.org_metadata_only || !flags.exclude_metadata;
  if (hasMetadata) await addOrganization(work, writer);
  if (flags.org_metadata_only) return;
  const found = await listRepositories(work.config.root, work.record.org);
  for (const name of work.record.repositories) {
    const repository = found.get(name);
    if (repository === undefined)
      throw new Error(`The repository ${name} is gone.`);
    await addRepository(work, repository, writer);
  }
}

async function addOrganization(
  { record, config }: Work,
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
  work: Work,
  found: Found,
  writer: ArchiveWriter,
): Promise<void> {
  const { folder: scratch, limits } = work;
  await withGitFolder(found.folder, scratch, limits, (ours) =>
    addContent(work, found, ours, writer),
  ).catch((error: unknown) => {
    if (!(error instanceof RepositoryError)) throw error;
    throw new Error(`${found.name}: ${error.message}`);
  });
}

async function addContent(
  work: Work,
  found: Found,
  ours: GitFolder,
  writer: ArchiveWriter,
): Promise<void> {
  const { name, folder } = found;
  const { flags } = work.record;
  const all = await references(ours.folder, work.limits);
  const bundle = `repositories/${name}.bundle`;
  const hasBundle = !flags.exclude_git_data && all.length > 0;
  if (hasBundle) await addBundle(work, ours.folder, bundle, writer);
  if (!flags.exclude_git_data) await addLargeFiles(found, writer);
  if (flags.exclude_metadata) return;
  await writer.json(`repositories/${name}.json`, {
    ...described(await lookAt(found, ours, work.limits)),
    references: all,
    bundle: hasBundle ? bundle : null,
  });
  if (!flags.exclude_releases)
    await writer.json(
      `releases/${name}.json`,
      await releases(ours.folder, work.limits),
    );
  if (!flags.exclude_attachments)
    await addFolder(
      folder.replace(/\.git$/, ".attachments"),
      `attachments/${name}`,
      writer,
    );
}

/** Objects of Git LFS, which are beside those of git: `lfs/objects/<2>/<2>/<id>`. */
async function addLargeFiles(
  { name, folder }: Found,
  writer: ArchiveWriter,
): Promise<void> {
  const lfs = path.join(folder, "lfs");
  if (await isFolder(lfs))
    await addFolder(path.join(lfs, "objects"), `lfs/${name}`, writer);
}

function described(facts: Awaited<ReturnType<typeof lookAt>>): object {
  return {
    name: facts.name,
    description: facts.description,
    default_branch: facts.defaultBranch,
  };
}

/** All references with their history. Git refuses to bundle a repository that has none. */
async function addBundle(
  { folder: scratch, limits }: Work,
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
