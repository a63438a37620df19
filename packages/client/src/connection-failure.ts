import { HubConnectionError } from './errors.ts';

/** The connection was refused: `ConnectionRefused` is Bun's word before 1.4. `EAI_AGAIN`: the name server is not up yet. */
const REFUSED = new Set(['ECONNREFUSED', 'ConnectionRefused', 'EAI_AGAIN']);

/** Nothing was sent either, but another try would hardly fare better: no such host, no such unix socket, no route. */
const NEVER_SENT = new Set(['ENOTFOUND', 'ENOENT', 'UND_ERR_CONNECT_TIMEOUT', 'FailedToOpenSocket']);

/** The handshake failed over the server's certificate, before the request. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER))/;

interface SystemError {
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  message?: unknown;
}

/**
 * The system's error codes in what `fetch` threw. Bun puts the code on the error, Node on its `cause`, which is an
 * AggregateError with one error per address if the host has several.
 */
function systemCodes(thrown: unknown, depth = 0): string[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const { code, cause, errors } = thrown as SystemError;
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((one) => systemCodes(one, depth + 1));
  if (typeof code === 'string') return [code];
  return systemCodes(cause, depth + 1);
}

/** Whether the connection was surely refused before anything was sent, at every address: then, only then, try again. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof HubConnectionError)) return false;
  const codes = systemCodes(error.cause);
  return codes.length > 0 && codes.every((code) => REFUSED.has(code));
}

/** Describes what `fetch` threw while speaking to `origin`. */
export function connectionError(thrown: unknown, origin: string): HubConnectionError {
  const codes = systemCodes(thrown);
  const surelyNotSent =
    codes.length > 0 && codes.every((code) => REFUSED.has(code) || NEVER_SENT.has(code) || BAD_CERTIFICATE.test(code));
  const reason = codes[0] ?? (thrown instanceof Error ? thrown.message : 'unknown failure');
  return new HubConnectionError(
    surelyNotSent
      ? `Cannot reach ${origin} (${reason}). Nothing was posted.`
      : `The connection to ${origin} failed (${reason}); the post may have been created.`,
    { mayHaveCreated: !surelyNotSent, code: codes[0], cause: thrown },
  );
}
