import { generateKeyPairSync } from "node:crypto";
import type { Fetch } from "../../../src/runtime/auth/index.js";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Parsed key file of a service account. */
export const KEY = {
  type: "service_account",
  client_email: "robot@project.iam.gserviceaccount.com",
  private_key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  private_key_id: "key-id",
};

/** Request that `tokenServer` received. */
export interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/**
 * Returns a function that responds to token requests with the results of a
 * function, whose argument is the number of the request, from 1.
 */
export function tokenServer(
  respond: (count: number, sent: Sent) => object | Response | Promise<Response>,
): { readonly fetch: Fetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    async fetch(url, init) {
      const request = { url, init };
      sent.push(request);
      const result = await respond(sent.length, request);
      return result instanceof Response ? result : Response.json(result);
    },
  };
}

/** Response with a token that contains the number of the request. */
export const token = (count: number, expires_in: unknown = 3600): object => ({
  access_token: `token-${count}`,
  expires_in,
});

/** Request of an API. */
export const API = { url: "https://drive.googleapis.com/drive/v3/files" };
