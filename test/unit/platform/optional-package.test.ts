import { expect, it } from "vitest";
import {
  loadWithPackage,
  MissingPackageError,
} from "../../../src/platform/optional-package.js";

const failing = (text: string, code: string) => async () => {
  throw Object.assign(new Error(text), { code });
};

const missing = (name: string) =>
  failing(
    `Cannot find package '${name}' imported from x.js`,
    "ERR_MODULE_NOT_FOUND",
  );

it("returns the module", async () => {
  expect(await loadWithPackage("p", "Storing", async () => 1)).toBe(1);
});

it("says which package is missing, for what, and how to install it", async () => {
  const load = loadWithPackage("p", "Storing", missing("p"));
  await expect(load).rejects.toThrow(MissingPackageError);
  await expect(load).rejects.toThrow(
    "Storing needs the package p, which is not installed; run `npm install p`",
  );
});

it("recognizes packages that `require` does not find", async () => {
  const text = "Cannot find module 'p'\nRequire stack:\n- x.cjs";
  const load = loadWithPackage("p", "S", failing(text, "MODULE_NOT_FOUND"));
  await expect(load).rejects.toThrow(MissingPackageError);
});

it("leaves other errors as they are", async () => {
  const load = loadWithPackage("p", "Storing", missing("other"));
  await expect(load).rejects.toThrow("Cannot find package 'other'");
  const bug = async () => {
    throw new TypeError("p");
  };
  await expect(loadWithPackage("p", "Storing", bug)).rejects.toThrow(TypeError);
});
