import { propertyIndex } from "../schema/property-index.js";
import type { BuiltinContext } from "./builtin-context.js";
import {
  checkCertManagerVersion,
  raiseReplicas,
  recordOldResources,
  setSeedFromOldDatabase,
} from "./cluster-builtins.js";
import {
  checkOldOverrides,
  checkSeedHost,
  validateFile,
} from "./file-builtins.js";
import { setOrganizationProperties } from "./organization-properties.js";
import { removeSeedHost } from "./seed-host.js";
import type { Builtin } from "./step.js";

/**
 * Upgrade actions that are implemented in TypeScript, keyed by name. All of
 * them are idempotent. The error message of a failed action states the reason.
 */
export const builtins: Readonly<
  Record<Builtin, (context: BuiltinContext) => Promise<void> | void>
> = {
  validate: (context) => validateFile(context),
  finish: (context) => validateFile(context, "final"),
  "org-properties": organizationProperties,
  "raise-replicas": raiseReplicas,
  "see-cert-manager": checkCertManagerVersion,
  "see-old": checkOldOverrides,
  "note-old": recordOldResources,
  "set-seed": setSeedFromOldDatabase,
  "see-seed": checkSeedHost,
  "drop-seed": ({ options, cwd }) => removeSeedHost(options.overrides, cwd),
};

async function organizationProperties(context: BuiltinContext): Promise<void> {
  const { options, api, query, hide, print } = context;
  const { code, stdout } = await query({
    argv: ["gcloud", "auth", "print-access-token"],
  });
  const token = stdout.trim();
  if (code !== 0 || token === "")
    throw new Error("gcloud returned no access token");
  hide(token);
  print(`sending a gcloud access token to ${new URL(api).host}`);
  const { features } = propertyIndex().table.upgrade;
  await setOrganizationProperties(api, options.settings.org, features, token);
}
