import type { EmbeddingResponse } from "../../../generated/chat/v1/schemas.js";
import {
  ApiError,
  type Call,
} from "../../../generated/runtime/server/index.js";
import { checkDuplicates, errorOf, type Admissions } from "./admission.js";
import type { EmbeddingBody } from "./backend.js";
import { checkTexts, estimateTexts } from "./embedding-texts.js";
import type { Key } from "./keys.js";
import type { ChatRequest } from "./request.js";
import { NO_TOKENS, UsageMeter, type TokenCounts } from "./usage.js";

/** Handler of embedding requests. */
export class Embeddings {
  readonly #admissions: Admissions;

  constructor(admissions: Admissions) {
    this.#admissions = admissions;
  }

  /** Passes a request to the backend of the requested model. */
  async create(
    call: Call<unknown, EmbeddingBody, Key>,
  ): Promise<EmbeddingResponse> {
    const { body } = call;
    checkDuplicates(call.request as ChatRequest);
    const estimate = estimateTexts(checkTexts(body));
    const admitted = await this.#admissions.admit(call, estimate);
    const { backend, job, settle, request } = admitted;
    const meter = new UsageMeter(estimate);
    let counts: TokenCounts | undefined;
    try {
      if (backend.embed === undefined) throw unsupported(body.model);
      const response = await backend.embed({ ...job, body });
      meter.observe(response);
      counts = request.state.usage = meter.counts();
      return response as unknown as EmbeddingResponse;
    } catch (error) {
      // The back end has processed the texts of a caller that disconnected.
      if (job.signal.aborted) counts = meter.counts();
      throw errorOf(error, admitted);
    } finally {
      settle(counts ?? NO_TOKENS);
    }
  }
}

function unsupported(model: string): ApiError {
  const message = `The model ${JSON.stringify(model)} has no embeddings.`;
  return new ApiError(400, message, {
    code: "model_not_supported",
    problems: [{ message, location: "model" }],
  });
}
