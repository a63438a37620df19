/** An expected problem that keeps the server from starting. The message says what is wrong and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the error code of the operating system (such as `EACCES`), or else the message of the error. */
export function causeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}
