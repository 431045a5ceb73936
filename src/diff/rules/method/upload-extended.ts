import type { Rule } from "../../rule.js";
import { listed } from "../../words.js";
import { notAccepted } from "../../walk/media-types.js";
import { hasUploadProtocol } from "../../../model/bodies.js";

const PROTOCOLS = ["simple", "resumable"] as const;

export const uploadExtended: Rule<"method"> = {
  id: "upload-extended",
  on: "method",
  kind: "changed",
  summary:
    "A method now accepts larger media, more media types, or an additional upload protocol.",
  reason: "Handlers can receive uploads that they did not receive before.",
  verdict: ["info", "warning", "info"],
  find: ({ old, new: now }) => {
    const [before, after] = [old?.upload, now?.upload];
    if (!hasUploadProtocol(before) || !hasUploadProtocol(after))
      return undefined;
    const larger = (after.maxBytes ?? Infinity) > (before.maxBytes ?? Infinity);
    const more = notAccepted(after.accept, before.accept).length > 0;
    const protocols = PROTOCOLS.filter(
      (name) => before[name] === undefined && after[name] !== undefined,
    );
    return [
      ...(larger
        ? [
            {
              text: `the maximum size of media changed from ${before.maxSize} to ${after.maxSize ?? "no limit"}`,
              detail: `size ${after.maxSize}`,
              below: "/mediaUpload/maxSize",
            },
          ]
        : []),
      ...(more
        ? [
            {
              text: `accepted media types changed from ${listed(before.accept)} to ${listed(after.accept)}`,
              detail: `types ${listed(after.accept)}`,
              below: "/mediaUpload/accept",
            },
          ]
        : []),
      ...protocols.map((name) => ({
        text: `${name} uploads were added`,
        detail: name,
        below: "/mediaUpload/protocols",
      })),
    ];
  },
};
