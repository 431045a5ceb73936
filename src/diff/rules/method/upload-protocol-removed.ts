import type { Rule } from "../../rule.js";
import { hasUploadProtocol } from "../../../model/bodies.js";

const PROTOCOLS = ["simple", "resumable"] as const;

export const uploadProtocolRemoved: Rule<"method"> = {
  id: "upload-protocol-removed",
  on: "method",
  kind: "removed",
  summary:
    "A method no longer accepts one of the upload protocols (simple or resumable).",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    hasUploadProtocol(old.upload) &&
    hasUploadProtocol(now.upload)
      ? PROTOCOLS.filter(
          (name) =>
            old.upload![name] !== undefined && now.upload![name] === undefined,
        ).map((name) => ({
          text: `${name} uploads were removed`,
          detail: name,
          below: "/mediaUpload/protocols",
        }))
      : undefined,
};
