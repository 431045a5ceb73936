/**
 * Name of the interface for the response headers that all methods have in
 * common (`x-response-headers`).
 */
export const COMMON_HEADERS = "CommonHeaders";
