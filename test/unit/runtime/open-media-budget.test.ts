import { expect, it } from "vitest";
import { download, type MediaCall } from "../../../src/runtime/client/media.js";
import { openMedia } from "../../../src/runtime/client/open-media.js";
import type { RetryOptions } from "../../../src/runtime/client/options.js";
import { failure, fullClient, make } from "./helpers.js";

/** Requests of a download that breaks when the server stops. */
async function requestsOf(retry: RetryOptions): Promise<number> {
  let requests = 0;
  const client = fullClient(
    async () => {
      if (++requests > 1) return new Response(null, { status: 503 });
      const headers = { etag: '"x"', "content-length": "9" };
      return new Response("abc", { headers });
    },
    { retry: { delay: 0, ...retry } },
  );
  const get = make<MediaCall<unknown>>({ use: [download] });
  const media = await openMedia(get(client));
  await failure(media.text());
  return requests;
}

it("the rest of media is requested within the budget", async () => {
  expect(await requestsOf({ budget: -1 })).toBe(1);
  expect(await requestsOf({ when: () => false })).toBe(1);
});

it("attempts for the rest are not multiplied", async () => {
  expect(await requestsOf({ attempts: 3 })).toBe(3);
  expect(await requestsOf({})).toBe(4);
});
