import { child } from "../../model/build/context.js";
import type { Rule } from "../rule.js";

/** Rules about uploads and downloads. */
export const mediaRules: readonly Rule[] = [
  {
    id: "upload-incomplete",
    severity: "warning",
    cause:
      "A method with uploads must have supportsMediaUpload and mediaUpload, because some clients read only one of them. mediaUpload must have at least one protocol, and each protocol must have a path.",
    fix: "Add the missing fields.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods) {
        const { supportsMediaUpload, mediaUpload } = raw;
        if (supportsMediaUpload === true && mediaUpload === undefined)
          report(`${id} has supportsMediaUpload without mediaUpload`, at);
        if (mediaUpload === undefined) continue;
        const upload = child(at, "mediaUpload");
        if (supportsMediaUpload !== true)
          report(`${id} has mediaUpload without supportsMediaUpload`, upload);
        const protocols = Object.entries(mediaUpload.protocols ?? {});
        if (protocols.length === 0)
          report(`${id}: mediaUpload has no protocols`, upload);
        for (const [name, protocol] of protocols)
          if (protocol.path === undefined)
            report(
              `${id}: the protocol ${name} has no path`,
              child(upload, "protocols", name),
            );
      }
    },
  },
  {
    id: "download-incomplete",
    severity: "warning",
    cause:
      "useMediaDownloadService has no effect without supportsMediaDownload.",
    fix: "Set supportsMediaDownload, or remove useMediaDownloadService.",
    check({ methods }, report) {
      for (const { id, raw, at } of methods)
        if (
          raw.useMediaDownloadService === true &&
          raw.supportsMediaDownload !== true
        )
          report(
            `${id} has useMediaDownloadService without supportsMediaDownload`,
            child(at, "useMediaDownloadService"),
          );
    },
  },
];
