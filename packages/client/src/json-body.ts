/** The JSON object in the body of a response. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the JSON object in a body; undefined if the body is anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return /^\s*{/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the message of an error. A proxy may respond in its own format. */
export const messageIn = (body: JsonObject | undefined, fallback: string): string =>
  typeof body?.message === 'string' ? body.message : fallback;

/** Returns the error in a body; undefined if it is not one of a Hub server with this status, but of a proxy. */
export function errorBodyOf(statusCode: number, body: JsonObject | undefined) {
  const { message, timestamp, path } = body ?? {};
  const isWhole = typeof message === 'string' && typeof timestamp === 'string' && typeof path === 'string';
  return isWhole && body?.statusCode === statusCode ? { message, timestamp, path } : undefined;
}
