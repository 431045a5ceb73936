/** The body as UTF-8 text, in whatever pieces; characters stay whole. */
export async function* texts(body: Response["body"]): AsyncGenerator<string> {
  const reader = body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = decoder.decode(value, { stream: !done });
      if (text) yield text;
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
