import { expect, test } from "vitest";
import { description, generateClient } from "../../support/generate.js";

test("the comment of a renamed parameter states its name on the wire", () => {
  const { files } = generateClient(
    description({
      methods: {
        get: {
          id: "demo.get",
          path: "get",
          httpMethod: "GET",
          parameters: {
            media: { type: "string", location: "query", description: "A." },
            other: { type: "string", location: "query", description: "B." },
          },
        },
      },
    }),
  );
  const text = [...files.values()].join("\n");
  expect(text).toMatch(
    /A\.\n {3}\*\n {3}\* Sent as `media`\.\n {3}\*\/\n {2}media_\?/,
  );
  expect(text.split("Sent as")).toHaveLength(2);
});
