import type { Method, Parameter } from "../../model/ir.js";
import {
  commonHandlerHeaders,
  handlerHeaders,
  splitHeaders,
} from "../../model/response-headers.js";

/** Response headers that handlers set, split into common ones and those of single methods. */
export class ResponseHeaders {
  readonly common: readonly Parameter[];

  constructor(methods: readonly Method[]) {
    this.common = commonHandlerHeaders(methods);
  }

  /** Returns a method's headers without the common ones. */
  of(method: Method): readonly Parameter[] {
    return splitHeaders(handlerHeaders(method), this.common).specific;
  }
}
