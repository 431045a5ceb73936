// Rules of CONTRIBUTING.md, "Language", that a pattern can check.
//
// A space in a pattern matches any white space, so that a match can span lines.
// `in` names the kinds of text that a rule applies to: `opening` (first words
// of a doc comment), `comment`, `message` (string literals of several words),
// `prose` (Markdown, descriptions). A rule without `in` applies to all kinds
// except `opening`. If a word also has an accepted meaning, the rule lists only
// phrases that use the other meaning.

const BE = "(?:is|are|was|were|be|been|being)";

/** @type {{bad: string, write: string, in?: string[]}[]} */
const table = [
  // Doc comments begin with a verb or a noun.
  {
    bad: "^(?:What|Whether|Who|Whom|Whose|Those|Where|Which|How|As|When|Why|If)\\b",
    write: 'a verb ("Returns …") or a noun ("Manifest of …")',
    in: ["opening"],
  },
  {
    bad: "^(?:It|They|The same (?:of|again|in|for)|All that|Something|Everything|Anything|Nothing|Somebody|Someone|Such|None)\\b",
    write: "the noun that is meant",
    in: ["opening"],
  },
  {
    bad: "@(?:param \\w+|returns?|throws \\w+)(?: -)? (?:those|what|whether|who|where|how|which)\\b",
    write: "a noun",
    in: ["comment"],
  },

  // Rules about the structure of sentences.
  {
    bad: `(?<!\\bthere )\\b${BE} no(?! (?:longer|more|less|fewer|later|earlier|better)\\b)\\b(?!-|:|=)`,
    write: "is not a …; must be …",
  },
  { bad: `(?<!\\bthere )\\b${BE} none\\b`, write: "is not one" },
  { bad: "\\bof it\\b", write: "the noun that is meant, or its …" },
  {
    bad: `\\b(?:${BE}|already) there\\b(?! (?:is|are|an?|no|any)\\b)`,
    write: "exists, is present, resolved",
  },
  { bad: "\\bthere already\\b", write: "pending, resolved, present" },
  {
    bad: "\\b(?:undefined|absent|empty|null|false|true|none|nothing|zero) where\\b",
    write: "undefined if …",
  },
  {
    bad: "\\bas [\\w'’ -]{1,40}? (?:has|have|had|gives?|gave|wants?|spells?|knows?|says?|means?|likes?) (?:it|them)\\b",
    write: "as described in, in the form of, unchanged",
  },
  {
    bad: "\\b(?:of|for|from|with|has|have|had|asks?|keeps?|holds?|says?|said|needs?|takes?|knows?|gives?) nothing\\b",
    write: "the negated verb: does not …",
  },
  { bad: "\\bnothing but\\b", write: "only" },
  { bad: "\\bbut once\\b", write: "only once" },
  {
    bad: "\\b(?:come|comes|came|become|becomes|became) of\\b",
    write: "results in, happens to",
  },
  { bad: "\\b(?:has|have) to\\b", write: "must", in: ["message"] },
  {
    bad: "\\b(?:thereof|therein|wherein|whereof|hereby)\\b",
    write: "the noun that is meant",
  },

  // Rules against personification of programs.
  { bad: "\\bwho asks?\\b", write: "caller, client" },
  {
    bad: `\\b(?:(?:${BE}|as|if|when|than) asked|ask(?:s|ed|ing)? (?:for|of|whether|what|about|itself))\\b`,
    write: "request, query, require",
  },
  { bad: "\\btold\\b", write: "configured, notified, specified" },
  {
    bad: "\\bknows? (?:no|none|nothing|of|it|them|them all|what|better)\\b",
    write: "supports, contains, has a … for",
  },
  {
    bad: "\\b(?:says|said) (?:so|nothing|no|what|whether|which)\\b",
    write: "specifies, states, declares",
  },
  { bad: "\\b(?:lives|lived)\\b", write: "is, is located, exists" },
  {
    bad: "\\b(?:hears?|heard|learns?|learnt|believes?|dares?)\\b",
    write: "receives, reads, assumes",
  },
  { bad: "\\bnobody\\b", write: "no caller, no process, unused" },
  {
    bad: "\\bwish(?:es|ed)?\\b",
    write: "request, preference, retry delay requested by the server",
  },
  { bad: "(?<!\\bon )\\bdemand(?:s|ed)?\\b", write: "require, requirement" },
  { bad: "\\bwhatever opens\\b", write: "credentials" },

  // Rules against metaphors that only this project uses.
  {
    bad: "\\banswer(?:s|ed|ing)?\\b",
    write: "response, result; responds, returns",
  },
  {
    bad: "(?<!\\bin[ -])(?<!\\bdecimal )(?<!\\btakes? )(?<!\\btakes? the )(?<!\\btaken? )\\bplaces?\\b(?! ?holder)",
    write: "position, location",
  },
  {
    bad: "\\b(?:in place of|takes? the place)\\b",
    write: "instead of, replaces",
  },
  { bad: "\\bmend(?:s|ed|ing)?\\b", write: "fix, repair" },
  { bad: "\\b(?:under way|at work)\\b", write: "in flight, in progress" },
  {
    bad: "(?<!\\b(?:point|back|linear|quadratic|constant) )\\bin time\\b(?! (?:linear|proportional)\\b)",
    write: "before the deadline, within the timeout",
  },
  { bad: "\\busual\\b", write: "default, standard" },
  { bad: "\\b(?:lacks?|lacked|lacking)\\b", write: "is missing, is absent" },
  {
    bad: `\\b(?:${BE} away|go(?:es)? away|going away|gone away|went away|a call away)\\b`,
    write: "is missing, ends, is removed",
  },
  {
    bad: "\\b(?:kept (?:responses?|entr(?:y|ies)|values?|texts?|copy|copies)|what (?:is|was|it) (?:kept|keeps)|keeps what)\\b",
    write: "cached, stored",
  },
  { bad: "(?<!-)\\b(?:ties?|tied)\\b(?!-)(?!/)", write: "conflict, ambiguity" },
  { bad: "\\ballot(?:s|ted|ting|ment)?\\b", write: "reserve" },
  { bad: "\\b(?:lets?|letting) go\\b", write: "release, drain, close" },
  {
    bad: "\\bhand(?:s|ed|ing)? (?:over|out|on|back|in|it|them)\\b",
    write: "pass, return",
  },
  { bad: "\\bhouses?\\b", write: "the noun that is meant" },
  { bad: "\\brooms?\\b", write: "space, capacity" },
  { bad: '\\b(?:stands?|stood)\\b(?! for\\b)(?!-|")', write: "is, is located" },
  {
    bad: "\\b(?:stands?|stood) for (?:it|them|itself)\\b",
    write: "represents",
  },
  { bad: "\\b(?:lies|lie|lain|lying)\\b", write: "is, is located" },
  { bad: "\\blay\\b(?! (?:out|\\w+ out)\\b)", write: "is, is located" },
  { bad: "\\bwhole numbers?\\b", write: "integer" },
  {
    bad: `\\b(?:${BE}|stays?|stayed|remains?|comes?|came|arrives?|arrived|sent|read|left) whole\\b`,
    write: "complete",
  },
  { bad: "\\bwhole (?:again|or|and)\\b", write: "complete" },
  { bad: "\\bgo(?:es|ing)? on\\b|\\bwent on\\b", write: "continue" },
  { bad: "\\bfor good\\b", write: "permanently" },
  { bad: "\\b(?:anew|afresh)\\b", write: "again" },
  { bad: "\\bfor granted\\b", write: "assumes" },
  { bad: "\\bno good\\b", write: "malicious, invalid" },
  { bad: "\\bthe world\\b", write: "file system, network" },
  { bad: "\\bon (?:the|its|their) way\\b", write: "in flight" },
  { bad: "\\bthe front\\b(?! of\\b)", write: "response cache" },
  { bad: "\\breception\\b", write: "dispatcher" },
];

/** Compiled rules. */
export const RULES = table.map((rule) => ({
  pattern: new RegExp(
    rule.bad.replaceAll(" ", "\\s+").replaceAll("(?!\\s+", "(?!\\s*"),
    rule.in?.[0] === "opening" ? "" : "gi",
  ),
  write: rule.write,
  kinds: rule.in ?? ["comment", "message", "prose"],
}));
