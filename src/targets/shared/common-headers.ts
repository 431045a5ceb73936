/**
 * Name of the interface of the response headers that several methods share
 * (`x-response-headers`).
 */
export const COMMON_HEADERS = "CommonHeaders";
