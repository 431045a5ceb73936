/**
 * Cancels the body of a response. Errors are ignored: if the connection failed,
 * the cancellation is rejected with the error of the connection.
 */
export async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}
