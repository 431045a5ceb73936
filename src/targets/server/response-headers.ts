import type { Method, Parameter } from "../../model/ir.js";
import {
  commonHandlerHeaders,
  handlerHeaders,
  splitHeaders,
} from "../../model/response-headers.js";

/**
 * Response headers that handlers set: headers that all methods have in common,
 * and headers that are specific to methods.
 */
export class ResponseHeaders {
  readonly common: readonly Parameter[];

  constructor(methods: readonly Method[]) {
    this.common = commonHandlerHeaders(methods);
  }

  /**
   * Returns the response headers of a method except those that all methods have
   * in common.
   */
  of(method: Method): readonly Parameter[] {
    return splitHeaders(handlerHeaders(method), this.common).specific;
  }
}
