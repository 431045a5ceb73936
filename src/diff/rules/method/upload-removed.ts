import type { Rule } from "../../rule.js";
import { hasUploadProtocol } from "../../../model/bodies.js";

export const uploadRemoved: Rule<"method"> = {
  id: "upload-removed",
  on: "method",
  kind: "removed",
  summary: "A method no longer accepts media uploads.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    hasUploadProtocol(old.upload) &&
    !hasUploadProtocol(now.upload) && {
      text: "media uploads were removed",
      below: "/mediaUpload",
    },
};
