import { expect, test } from "vitest";
import { byteSize, readableSize } from "../../../src/model/infer/sizes.js";
import { description, generateServer } from "../../support/generate.js";

test.each([
  ["5GB", 5 * 1024 ** 3, "5 GiB"],
  ["5.5GB", 5.5 * 1024 ** 3, "5.5 GiB"],
  ["5120 GB", 5 * 1024 ** 4, "5 TiB"],
  ["5TiB", 5 * 1024 ** 4, "5 TiB"],
  ["5497558138880", 5 * 1024 ** 4, "5 TiB"],
  ["36700160", 35 * 1024 ** 2, "35 MiB"],
  ["100", 100, "100 bytes"],
  ["1.5k", 1536, "1.5 KiB"],
])("%s", (text, bytes, readable) => {
  expect(byteSize(text)).toBe(bytes);
  expect(readableSize(bytes)).toBe(readable);
});

test.each(["", "0", "many", "5XB", "-1", "1e3", "9".repeat(1000), ".5GB"])(
  "%j is not a size",
  (text) => {
    expect(byteSize(text)).toBeUndefined();
  },
);

test("the server enforces a size with a fraction", () => {
  const { files } = generateServer(
    description({
      methods: {
        put: {
          path: "a",
          httpMethod: "POST",
          mediaUpload: {
            maxSize: "5.5GB",
            protocols: { simple: { path: "/upload/a", multipart: true } },
          },
        },
      },
    }),
  );
  const routes = [...files].find(([name]) => name.endsWith("routes.ts"))![1];
  expect(routes).toContain(`maxSize: ${5.5 * 1024 ** 3}`);
});
