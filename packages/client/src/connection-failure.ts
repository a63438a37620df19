import { HubConnectionError } from './errors.ts';

/** The connection was refused: `ConnectionRefused` is Bun's word before 1.4. `EAI_AGAIN`: the name server is not up yet. */
const REFUSED = new Set(['ECONNREFUSED', 'ConnectionRefused', 'EAI_AGAIN']);

/** Nothing was sent either, but another try would hardly fare better: no such host, no such unix socket, no route. */
const NEVER_SENT = new Set(['ENOTFOUND', 'ENOENT', 'UND_ERR_CONNECT_TIMEOUT', 'FailedToOpenSocket']);

/** The handshake failed over the server's certificate, before the request. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER))/;

/** Of these, the ones over who signed it: to be mended with a CA of one's own. */
const UNTRUSTED_CERTIFICATE = /^(CERT_UNTRUSTED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;

interface Failure {
  code: string;
  message: string;
}

/**
 * The system's errors in what `fetch` threw. Bun puts the code on the error, Node on its `cause`, which is an
 * AggregateError with one error per address if the host has several.
 */
function systemFailures(thrown: unknown, depth = 0): Failure[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const { code, cause, errors, message } = thrown as Record<string, unknown>;
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((one) => systemFailures(one, depth + 1));
  if (typeof code === 'string') return [{ code, message: String(message) }];
  return systemFailures(cause, depth + 1);
}

/** The other side does not speak TLS, so the handshake failed. EPROTO alone could come later: the message has to say it. */
function speaksNoTls({ code, message }: Failure): boolean {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return true;
  return code === 'EPROTO' && /TLS handshake failed|wrong version number/i.test(message);
}

/** Whether Node's `fetch` refused a port that the Fetch standard blocks, such as 6000; the error has no code. */
function isBadPort(thrown: unknown): boolean {
  return thrown instanceof TypeError && thrown.cause instanceof Error && thrown.cause.message === 'bad port';
}

/** Whether the connection was surely refused before anything was sent, at every address: then, only then, try again. */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof HubConnectionError)) return false;
  const failures = systemFailures(error.cause);
  return failures.length > 0 && failures.every(({ code }) => REFUSED.has(code));
}

/** Describes what `fetch` threw while speaking to `origin`. */
export function connectionError(thrown: unknown, origin: string): HubConnectionError {
  if (isBadPort(thrown)) {
    const message = `fetch blocks the port of ${origin} (bad port). Nothing was posted. Let the server listen on another port.`;
    return new HubConnectionError(message, { mayHaveCreated: false, cause: thrown });
  }
  const failures = systemFailures(thrown);
  const [first] = failures;
  const handshakeFailed =
    first !== undefined && failures.every((failure) => BAD_CERTIFICATE.test(failure.code) || speaksNoTls(failure));
  const surelyNotSent =
    handshakeFailed || (first !== undefined && failures.every(({ code }) => REFUSED.has(code) || NEVER_SENT.has(code)));
  const reason = first?.code ?? (thrown instanceof Error ? thrown.message : 'unknown failure');
  const message = handshakeFailed
    ? handshakeMessage(first, origin)
    : surelyNotSent
      ? `Cannot reach ${origin} (${reason}). Nothing was posted.`
      : `The connection to ${origin} failed (${reason}); the post may have been created.${schemeAdvice(first, origin)}`;
  return new HubConnectionError(message, {
    mayHaveCreated: !surelyNotSent,
    handshakeFailed,
    code: first?.code,
    cause: thrown,
  });
}

function handshakeMessage(failure: Failure, origin: string): string {
  const { code } = failure;
  if (speaksNoTls(failure)) {
    return `${origin} does not speak TLS (${code}). Nothing was posted. Check the port, or write http:// if it is a plain one.`;
  }
  if (!UNTRUSTED_CERTIFICATE.test(code)) {
    return `The certificate of ${origin} is not valid for it (${code}). Nothing was posted.`;
  }
  return (
    `The certificate of ${origin} is not trusted (${code}). Nothing was posted. ` +
    'If your own CA signed it, name that in NODE_EXTRA_CA_CERTS=FILE.'
  );
}

/** A TLS port that is spoken to without TLS hangs up (`UND_ERR_SOCKET` in Node), as a server that breaks down does. */
function schemeAdvice(failure: Failure | undefined, origin: string): string {
  const mayBeTls = origin.startsWith('http:') && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(failure?.code ?? '');
  return mayBeTls ? ' If the server speaks TLS, write https://.' : '';
}
