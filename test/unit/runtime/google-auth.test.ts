import { OAuth2Client } from "google-auth-library";
import { expect, it } from "vitest";
import { client, make, recorder } from "./helpers.js";

it("takes a client of google-auth-library as it is", async () => {
  const auth = new OAuth2Client();
  auth.setCredentials({
    access_token: "t1",
    expiry_date: Date.now() + 3_600_000,
  });
  const { sent, fetch } = recorder();
  await make()(client(fetch, { auth }));
  auth.setCredentials({
    access_token: "t2",
    expiry_date: Date.now() + 3_600_000,
  });
  await make()(client(fetch, { auth }));
  expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer t1",
    "Bearer t2",
  ]);
});
