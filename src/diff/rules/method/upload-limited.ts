import type { Rule } from "../../rule.js";
import { listed } from "../../words.js";
import { notAccepted } from "../../walk/media-types.js";

export const uploadLimited: Rule<"method"> = {
  id: "upload-limited",
  on: "method",
  kind: "changed",
  summary: "A method now accepts only smaller media, or fewer media types.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) => {
    const [before, after] = [old?.upload, now?.upload];
    if (before === undefined || after === undefined) return undefined;
    const smaller =
      (after.maxBytes ?? Infinity) < (before.maxBytes ?? Infinity);
    const fewer = notAccepted(before.accept, after.accept).length > 0;
    return [
      ...(smaller
        ? [
            {
              text: `the maximum size of media changed from ${before.maxSize ?? "no limit"} to ${after.maxSize}`,
              detail: `size ${after.maxSize}`,
              below: "/mediaUpload/maxSize",
            },
          ]
        : []),
      ...(fewer
        ? [
            {
              text: `accepted media types changed from ${listed(before.accept)} to ${listed(after.accept)}`,
              detail: `types ${listed(after.accept)}`,
              below: "/mediaUpload/accept",
            },
          ]
        : []),
    ];
  },
};
