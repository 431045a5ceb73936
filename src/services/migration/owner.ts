import type { Owner } from "../../../generated/migration/v1/schemas.js";
import { nodeId } from "./records.js";

/** Account of an organization. */
export interface Account {
  readonly login: string;
  readonly id: number;
}

/** Converts an organization to an owner as defined by the API. */
export function ownerOf({ login, id }: Account, origin: string): Owner {
  const user = `${origin}/users/${login}`;
  const organization = `${origin}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId("Organization", id),
    url: organization,
    repos_url: `${organization}/repos`,
    events_url: `${organization}/events`,
    avatar_url: `${origin}/avatars/${id}`,
    gravatar_id: "",
    html_url: `${origin}/${login}`,
    followers_url: `${user}/followers`,
    following_url: `${user}/following{/other_user}`,
    gists_url: `${user}/gists{/gist_id}`,
    starred_url: `${user}/starred{/owner}{/repo}`,
    subscriptions_url: `${user}/subscriptions`,
    organizations_url: `${user}/orgs`,
    received_events_url: `${user}/received_events`,
    type: "Organization",
    site_admin: false,
  };
}
