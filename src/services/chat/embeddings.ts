import type { EmbeddingResponse } from "../../../generated/chat/v1/schemas.js";
import {
  ApiError,
  type Call,
} from "../../../generated/runtime/server/index.js";
import { checkDuplicates, sendMeasured, type Admissions } from "./admission.js";
import type { EmbeddingBody } from "./backend.js";
import { checkTexts, estimateTexts } from "./embedding-texts.js";
import type { Key } from "./keys.js";
import type { ChatRequest } from "./request.js";
import { UsageMeter } from "./usage.js";

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
    const { backend, job } = admitted;
    const response = await sendMeasured(
      admitted,
      new UsageMeter(estimate),
      async () => {
        if (backend.embed === undefined) throw unsupported(body.model);
        return backend.embed({ ...job, body });
      },
    );
    return response as unknown as EmbeddingResponse;
  }
}

function unsupported(model: string): ApiError {
  const message = `The model ${JSON.stringify(model)} has no embeddings.`;
  return new ApiError(400, message, {
    code: "model_not_supported",
    problems: [{ message, location: "model" }],
  });
}
