import { sendRequest } from "./control-plane-request.js";

interface OrganizationProperty {
  readonly name: string;
  readonly value: string;
}

interface Organization {
  readonly properties?: { readonly property?: readonly OrganizationProperty[] };
}

/** Timeout of HTTP requests in milliseconds. */
const TIMEOUT = 30_000;

/**
 * Sets properties of an organization to "true". The request also contains all
 * existing properties, because the API deletes properties that are missing from
 * a request. Rejects with the reason if a request fails.
 */
export async function setOrganizationProperties(
  api: string,
  org: string,
  names: readonly string[],
  token: string,
): Promise<void> {
  const url = `${api.replace(/\/$/, "")}/v1/organizations/${encodeURIComponent(org)}`;
  const before = await requestOrganization(url, token, "GET");
  const others = (before.properties?.property ?? []).filter(
    ({ name }) => !names.includes(name),
  );
  const added = names.map((name) => ({ name, value: "true" }));
  if (!hasAll(before, names))
    await requestOrganization(url, token, "PUT", {
      ...before,
      properties: { property: [...others, ...added] },
    });
  if (!hasAll(await requestOrganization(url, token, "GET"), names))
    throw new Error(
      `the organization does not have the properties ${names.join(", ")}, although they were set`,
    );
}

function hasAll(
  { properties }: Organization,
  names: readonly string[],
): boolean {
  return names.every((wanted) =>
    (properties?.property ?? []).some(
      ({ name, value }) => name === wanted && value === "true",
    ),
  );
}

async function requestOrganization(
  url: string,
  token: string,
  method: string,
  body?: unknown,
): Promise<Organization> {
  const { status, text } = await sendRequest(new URL(url), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeout: TIMEOUT,
    env: process.env,
  });
  if (status < 200 || status > 299)
    throw new Error(`${method} ${new URL(url).host} responded with ${status}`);
  return parseOrganization(text);
}

function parseOrganization(text: string): Organization {
  try {
    const value = JSON.parse(text) as Organization | null;
    const list = value?.properties?.property ?? [];
    if (typeof value === "object" && value !== null && Array.isArray(list))
      return value;
  } catch {
    // The code after this block throws an error if the JSON is invalid.
  }
  throw new Error("the response must be an organization in JSON format");
}
