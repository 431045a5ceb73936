/** Interface of the response headers that several methods have (`x-response-headers`). */
export const COMMON_HEADERS = "CommonHeaders";
