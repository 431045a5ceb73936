import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { toNodeListener } from "../../../src/runtime/server/index.js";
import { loadServer, spec } from "./generated.js";

test("the generated chat server answers over node:http", async () => {
  const createChatServer = await loadServer(spec("chat.v1"));
  const server = createChatServer({
    chat: {
      completions: {
        create: ({ body }: { body: { model: string } }) => ({
          id: "1",
          model: body.model,
        }),
      },
    },
  });
  const listener = http.createServer(toNodeListener(server));
  onTestFinished(() => void listener.close());
  await new Promise<void>((resolve) => listener.listen(0, resolve));
  const { port } = listener.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
    }),
  });
  expect(await response.json()).toEqual({ id: "1", model: "m" });
  expect(response.status).toBe(200);
});
