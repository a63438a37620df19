/** Something foreseeable keeps the server from starting. The message is for people: what is wrong, what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The word of the operating system for what went wrong (`EACCES`), or the error's own text. */
export function causeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? error);
}
