/**
 * Messages by error code of the YAML library. The library's messages quote the
 * text, which may contain passwords.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias can have neither anchor nor tag",
  BAD_ALIAS: "the alias names no anchor above it",
  BAD_COLLECTION_TYPE: "the tag does not fit the value",
  BAD_DIRECTIVE: "the directive is not one of YAML's",
  BAD_DQ_ESCAPE: "the escape is not one of YAML's",
  BAD_INDENT: "the indentation does not fit the lines above",
  BAD_PROP_ORDER: "anchor and tag stand in the wrong place",
  BAD_SCALAR_START: "text that begins like this has to be quoted",
  BLOCK_AS_IMPLICIT_KEY:
    "a block can't begin here; a line break or a quote is missing",
  BLOCK_IN_FLOW: "lines of a block stand within brackets",
  IMPOSSIBLE: "this is not YAML",
  KEY_OVER_1024_CHARS: "the key is longer than 1,024 characters",
  MISSING_CHAR:
    "a character is missing: a colon, a quote, a bracket or a comma",
  MULTILINE_IMPLICIT_KEY:
    "the key runs over several lines; the colon after it is missing, or the indentation is wrong",
  MULTIPLE_ANCHORS: "a value can have one anchor",
  MULTIPLE_TAGS: "a value can have one tag",
  NON_STRING_KEY: "the key is not text",
  TAB_AS_INDENT: "a tab stands where spaces have to indent",
  TAG_RESOLVE_FAILED: "the tag does not fit the value",
  UNEXPECTED_TOKEN:
    "this can't stand here; the lines above may lack a quote or an indentation",
};

/** Returns the message of a syntax error, without text of the file. */
export function syntaxMessage(code: string): string {
  return MESSAGES[code] ?? "this is not YAML";
}
