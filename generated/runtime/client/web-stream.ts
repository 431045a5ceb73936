/* eslint-disable */
// biome-ignore-all lint: generated

/** A stream of bytes, as a response has it. */
type ByteStream = NonNullable<Response["body"]>;

/** The pieces of a stream; it is cancelled when nobody wants more of them. */
export async function* piecesOf(
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

/** A stream that asks for pieces as it is read. */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ByteStream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
