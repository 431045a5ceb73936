import type { Rule } from "../../rule.js";
import { hasUploadProtocol } from "../../../model/bodies.js";

export const uploadAdded: Rule<"method"> = {
  id: "upload-added",
  on: "method",
  kind: "added",
  summary: "A method now accepts media uploads.",
  reason: "Existing handlers ignore the media.",
  verdict: ["info", "warning", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    !hasUploadProtocol(old.upload) &&
    hasUploadProtocol(now.upload) && {
      text: "the method now accepts media uploads",
      below: "/mediaUpload",
    },
};
