import type { Code } from "../../src/diagnostics/catalogue.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import {
  adminDiagnostic,
  withAdmin,
  type AdminTarget,
} from "../../src/services/admin/connect.js";
import { ConfigFile, SetupError } from "../../src/services/config-file.js";
import { runServices } from "../../src/services/run.js";
import { marketplaceRow } from "../services/support.js";
import { temporaryFolder } from "../support/paths.js";

const NAMES = ["chat", "marketplace"];

/** Returns the findings of a config text. */
const config = async (text: string): Promise<readonly Diagnostic[]> =>
  setup({ config: () => new ConfigFile("gen.yaml", text, NAMES) });

/** Config texts with which services don't start. */
async function setup({
  config: makeConfig,
  ...options
}: {
  readonly config?: () => ConfigFile;
  readonly host?: string;
  readonly store?: string;
}): Promise<readonly Diagnostic[]> {
  try {
    const running = await runServices({
      rows: [marketplaceRow],
      config: makeConfig?.(),
      log: () => {},
      ...options,
    });
    await running.close();
    return [];
  } catch (error) {
    if (error instanceof SetupError) return error.diagnostics;
    throw error;
  }
}

/** Reproductions of the codes of services. */
export const services: Partial<
  Record<Code, () => Promise<readonly Diagnostic[]>>
> = {
  "config-syntax": () => config("marketplace: ["),
  "config-unknown": () => config("markteplace: {}"),
  "config-invalid": () => config("marketplace:\n  support: maybe\n"),
  "listen-failed": () => setup({ host: "192.0.2.1" }),
  "store-unavailable": () => setup({ store: "mysql://host/base" }),
  "admin-refused": () => refusal({ data: temporaryFolder() }),
  "admin-unreachable": () =>
    refusal({ admin: "http://127.0.0.1:1/", token: "none" }),
};

/** Creates a key of an unknown owner. */
async function refusal(target: AdminTarget): Promise<readonly Diagnostic[]> {
  const found = await withAdmin(
    target,
    () => {},
    (admin) => admin.owners.keys.create({ owner: "nobody", requestBody: {} }),
  ).catch(adminDiagnostic);
  return [found as Diagnostic];
}
