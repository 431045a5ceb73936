/** Stream of bytes, such as the body of a response. */
type ByteStream = NonNullable<Response["body"]>;

/** Yields the chunks of a stream. Cancels the stream when iteration stops. */
export async function* chunksOf(
  stream: ByteStream | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Creates a stream that reads chunks on demand. */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ByteStream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

/**
 * Cancels the body of a response. Errors are ignored, because canceling fails
 * if the connection has already failed.
 */
export async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}
