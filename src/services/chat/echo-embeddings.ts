import type { EmbeddingJob, JsonObject } from "./backend.js";
import { textsOf, type EmbeddingText } from "./embedding-texts.js";
import { badMember } from "./messages.js";
import { countTokens, tokensOf } from "./tokens.js";

/** Number of elements of an embedding if the request has no `dimensions`. */
const DIMENSIONS = 256;

/** Maximum number of elements of all embeddings in a response. */
const MAX_ELEMENTS = 2 ** 20;

/** Maximum number of tokens of all texts. */
const MAX_TOKENS = 131_072;

/**
 * Returns test embeddings: unit vectors that depend only on the words of a text.
 * Texts with common words have similar vectors, so searches can be tested.
 *
 * @throws ApiError 400 if the response would be too large
 */
export function echoEmbeddings({ body }: EmbeddingJob): JsonObject {
  const texts = textsOf(body);
  const { dimensions = DIMENSIONS, encoding_format: format } = body;
  const size = dimensions ?? DIMENSIONS;
  if (texts.length * size > MAX_ELEMENTS)
    throw badMember(
      "dimensions",
      `must be at most ${Math.floor(MAX_ELEMENTS / texts.length)} for ${texts.length} texts`,
    );
  const tokens = texts.reduce((sum, text) => sum + tokenCount(text), 0);
  if (tokens > MAX_TOKENS)
    throw badMember("input", `must contain at most ${MAX_TOKENS} tokens`);
  return {
    object: "list",
    data: texts.map((text, index) => {
      const vector = vectorOf(text, size);
      const embedding = format === "base64" ? base64Of(vector) : [...vector];
      return { object: "embedding", index, embedding };
    }),
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function tokenCount(text: EmbeddingText): number {
  return typeof text === "string" ? countTokens(text) : text.length;
}

/** Number of elements that a word changes. */
const SPREAD = 4;

function vectorOf(text: EmbeddingText, size: number): Float32Array {
  const vector = new Float32Array(size);
  for (const word of typeof text === "string" ? tokensOf(text) : text) {
    let hash = hashOf(String(word).trim().toLowerCase());
    for (let count = 0; count < SPREAD; count++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
      vector[(hash >>> 1) % size]! += (hash & 1) === 0 ? 1 : -1;
    }
  }
  const length = Math.sqrt(
    vector.reduce((sum, element) => sum + element * element, 0),
  );
  // The changes of several words can cancel each other out.
  if (length === 0) vector[0] = 1;
  return vector.map((element) => (length === 0 ? element : element / length));
}

/** Returns the FNV-1a hash of the UTF-16 code units of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

function base64Of({ buffer }: Float32Array): string {
  return Buffer.from(buffer).toString("base64");
}
