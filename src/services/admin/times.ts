import type { NewKey } from "../marketplace/keys.js";

/** Returns a time of a request in ISO 8601 format in UTC. */
export function timeIn(value: string | null | undefined): string | undefined {
  return value === undefined || value === null
    ? undefined
    : new Date(value).toISOString();
}

/** Returns the JSON of a new key with its times. */
export function newKeyJson({ id, key, createdAt, expiresAt }: NewKey): {
  id: string;
  key: string;
  created_at: string;
  expires_at?: string;
} {
  return {
    id,
    key,
    created_at: createdAt,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}
