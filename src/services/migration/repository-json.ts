import type {
  Owner,
  Repository,
} from "../../../generated/migration/v1/schemas.js";
import { nodeId, type RepositoryRecord } from "./records.js";

/**
 * Converts a repository for the list endpoint. The result has members that
 * other responses do not contain.
 */
export function listedRepositoryOf(
  record: RepositoryRecord,
  owner: Owner,
  origin: string,
): Repository {
  return {
    ...repositoryOf(record, owner, origin),
    has_discussions: false,
    security_and_analysis: SECURITY,
  };
}

/**
 * Converts a repository. API members for which a bare repository has no data
 * are null, empty or false.
 */
export function repositoryOf(
  record: RepositoryRecord,
  owner: Owner,
  origin: string,
): Repository {
  const { id, name, description, defaultBranch, size } = record;
  const full = `${owner.login}/${name}`;
  const members = {
    id,
    node_id: nodeId("Repository", id),
    name,
    full_name: full,
    owner,
    private: true,
    fork: false,
    description,
    visibility: "private",
    topics: [],
    language: null,
    homepage: null,
    license: null,
    ...pageLinks(full, origin),
    ...apiLinks(`${origin}/repos/${full}`),
    ...NO_COUNTS,
    size,
    ...FLAGS,
    default_branch: defaultBranch,
    pushed_at: timeOf(record.pushedAt),
    created_at: timeOf(record.createdAt),
    updated_at: timeOf(record.pushedAt ?? record.createdAt),
    permissions: { admin: true, push: true, pull: true },
    template_repository: null,
    // The service does not issue tokens for cloning, so this member is always
    // empty.
    temp_clone_token: "",
  };
  // A type assertion is needed, because some members can be null (`x-nullable`
  // in the description) but their types do not include null.
  return members as object as Repository;
}

/** Formats a time as ISO 8601 in UTC, without fractional seconds. */
function timeOf(time: number | null): string | null {
  return time === null ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

const DISABLED = { status: "disabled" } as const;

const SECURITY = {
  advanced_security: DISABLED,
  secret_scanning: DISABLED,
  secret_scanning_push_protection: DISABLED,
  secret_scanning_non_provider_patterns: DISABLED,
};

const NO_COUNTS = {
  forks_count: 0,
  stargazers_count: 0,
  watchers_count: 0,
  open_issues_count: 0,
  subscribers_count: 0,
  network_count: 0,
  forks: 0,
  open_issues: 0,
  watchers: 0,
};

const FLAGS = {
  is_template: false,
  has_issues: false,
  has_projects: false,
  has_wiki: false,
  has_pages: false,
  has_downloads: false,
  archived: false,
  disabled: false,
  allow_rebase_merge: true,
  allow_squash_merge: true,
  allow_auto_merge: false,
  delete_branch_on_merge: false,
  allow_merge_commit: true,
};

function pageLinks(full: string, origin: string) {
  const page = `${origin}/${full}`;
  const { host } = new URL(origin);
  return {
    html_url: page,
    clone_url: `${page}.git`,
    git_url: `git://${host}/${full}.git`,
    ssh_url: `ssh://git@${host}/${full}.git`,
    svn_url: page,
    mirror_url: null,
  };
}

function apiLinks(url: string) {
  return {
    url,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
  };
}
