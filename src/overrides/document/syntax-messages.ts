/**
 * Messages, keyed by the error codes of the YAML library. They replace the
 * library's own messages, which quote the file and so can contain passwords.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias must not have an anchor or a tag",
  BAD_ALIAS: "the alias refers to an anchor that is not defined above it",
  BAD_COLLECTION_TYPE: "the tag does not match the value",
  BAD_DIRECTIVE: "the directive is not valid in YAML",
  BAD_DQ_ESCAPE: "the escape sequence is not valid in YAML",
  BAD_INDENT: "the indentation does not match the lines above",
  BAD_PROP_ORDER: "an anchor or tag is in the wrong position",
  BAD_SCALAR_START: "text that begins with this character must be quoted",
  BLOCK_AS_IMPLICIT_KEY:
    "a block can't begin here; a line break or a quote is missing",
  BLOCK_IN_FLOW: "a block is not allowed within brackets",
  IMPOSSIBLE: "the text is not valid YAML",
  KEY_OVER_1024_CHARS: "the key is longer than 1,024 characters",
  MISSING_CHAR:
    "a character is missing: a colon, a quote, a bracket or a comma",
  MULTILINE_IMPLICIT_KEY:
    "the key spans several lines; the colon after it is missing, or the indentation is wrong",
  MULTIPLE_ANCHORS: "a value can have only one anchor",
  MULTIPLE_TAGS: "a value can have only one tag",
  NON_STRING_KEY: "the key must be text",
  TAB_AS_INDENT: "a tab is used for indentation; YAML allows only spaces",
  TAG_RESOLVE_FAILED: "the tag does not match the value",
  UNEXPECTED_TOKEN:
    "unexpected text; a quote or indentation may be missing in the lines above",
};

/**
 * Returns the message for a syntax error. The message does not quote the file.
 */
export function syntaxMessage(code: string): string {
  return MESSAGES[code] ?? "the text is not valid YAML";
}
