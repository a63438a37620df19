import { NO_TUNNEL, type ProxySetting, proxyFor, proxyProblem } from '@hub/contract/proxy';
import { HubConnectionError } from './errors.ts';

/**
 * Codes for a refused connection (`ConnectionRefused` in Bun before 1.4) or a name server that is not up yet
 * (`EAI_AGAIN`).
 */
const RETRYABLE_CODES = new Set(['ECONNREFUSED', 'ConnectionRefused', 'EAI_AGAIN']);

/**
 * Codes for errors that occur before anything is sent, but that a retry would probably not fix: no such host, no such
 * unix socket, no route, a proxy that refuses.
 */
const NEVER_SENT = new Set(['ENOTFOUND', 'ENOENT', 'UND_ERR_CONNECT_TIMEOUT', 'FailedToOpenSocket', NO_TUNNEL]);

/** Codes for a handshake that failed because of the server's certificate, before the request was sent. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER))/;

/** The subset of those codes for untrusted issuers, which a custom CA file can fix. */
const UNTRUSTED_CERTIFICATE = /^(CERT_UNTRUSTED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;

/** Deno gives no code, but a message with this reason if the connection failed before the request was sent. */
const DENO_CONNECT = /client error \(Connect\): (.*)/;

/** The codes for some of these reasons. */
const DENO_CODES: readonly [reason: RegExp, code: string][] = [
  [/\brefused\b/, 'ECONNREFUSED'],
  [/Temporary failure in name resolution/, 'EAI_AGAIN'],
  [/^dns error/, 'ENOTFOUND'],
  [/InvalidContentType/, 'ERR_SSL_WRONG_VERSION_NUMBER'],
];

interface SystemFailure {
  /** Empty if the runtime gives none. */
  code: string;
  message: string;
  /** Whether the runtime says that nothing was sent, whatever the code. */
  isUnsent?: boolean;
}

/**
 * Returns the system errors in the value that `fetch` threw. Bun puts the code on the error itself, Node on its
 * `cause`, which is an AggregateError with one error per address if the host has several.
 */
function systemFailures(thrown: unknown, depth = 0): SystemFailure[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return [];
  const { code, cause, errors, message } = thrown as Record<string, unknown>;
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((error) => systemFailures(error, depth + 1));
  // Node, with NODE_USE_ENV_PROXY.
  if (code === 'UND_ERR_ABORTED' && /^Proxy response \(\d+\)/.test(String(message)))
    return [{ code: NO_TUNNEL, message: String(message) }];
  if (typeof code === 'string') return [{ code, message: String(message) }];
  const reason = DENO_CONNECT.exec(String(message))?.[1];
  if (reason !== undefined) {
    const [, code = ''] = DENO_CODES.find(([pattern]) => pattern.test(reason)) ?? [];
    return [{ code, message: reason, isUnsent: true }];
  }
  return systemFailures(cause, depth + 1);
}

/**
 * Returns whether the handshake failed because the server does not use TLS. EPROTO can also occur later, so its message
 * is checked too.
 */
function lacksTls({ code, message }: SystemFailure): boolean {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return true;
  return code === 'EPROTO' && /TLS handshake failed|wrong version number/i.test(message);
}

/** Returns whether `fetch` blocked the port in Node or Deno, as the Fetch standard requires for some; no code is set. */
function isBadPort(thrown: unknown): boolean {
  if (!(thrown instanceof TypeError)) return false;
  const isNodes = thrown.cause instanceof Error && thrown.cause.message === 'bad port';
  return isNodes || /\bRequests to port \d+ are blocked/.test(thrown.message);
}

/**
 * Returns whether every address refused the connection. Only then is it certain that nothing was sent.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof HubConnectionError)) return false;
  const failures = systemFailures(error.cause);
  return failures.length > 0 && failures.every(({ code }) => RETRYABLE_CODES.has(code));
}

/**
 * Returns the HubConnectionError for an error that `fetch` threw for `url`. The environment may name a proxy, which only
 * the runtime's own `fetch` uses.
 */
export function connectionError(thrown: unknown, url: string, isOwnFetch = false): HubConnectionError {
  const { origin } = new URL(url);
  const environment = isOwnFetch ? runtimeProxy(url) : undefined;
  if (isBadPort(thrown)) {
    const message = `fetch blocks the port of ${origin} (bad port). Nothing was posted. Use another port for the server.`;
    return new HubConnectionError(message, { mayHaveCreated: false, cause: thrown });
  }
  const failures = systemFailures(thrown);
  const [first] = failures;
  const handshakeFailed =
    first !== undefined && failures.every((failure) => BAD_CERTIFICATE.test(failure.code) || lacksTls(failure));
  const nothingSent =
    handshakeFailed ||
    (first !== undefined &&
      failures.every(({ code, isUnsent }) => isUnsent || RETRYABLE_CODES.has(code) || NEVER_SENT.has(code)));
  const reason = first?.code || first?.message || messageOf(thrown) || 'unknown failure';
  const message = handshakeFailed
    ? handshakeMessage(first, origin)
    : nothingSent
      ? `${unreachable(reason, origin, environment)} Nothing was posted.`
      : `The connection to ${origin} failed (${reason}); the post may have been created.${schemeAdvice(first, origin)}`;
  return new HubConnectionError(message, {
    mayHaveCreated: !nothingSent,
    handshakeFailed,
    code: first?.code || undefined,
    cause: thrown,
  });
}

function unreachable(reason: string, origin: string, environment: ReturnType<typeof runtimeProxy>): string {
  if (environment?.isUsed) return `${proxyProblem(environment.proxy, origin, reason)}.`;
  const advice = environment
    ? ` Node ignores ${environment.proxy.variable}, unless NODE_USE_ENV_PROXY=1 is set (22.21, 24.5 and later).`
    : '';
  return `Cannot reach ${origin} (${reason}).${advice}`;
}

/** Returns the message of the cause, if there is one: that of the error itself is `fetch failed`. */
function messageOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}

function handshakeMessage(failure: SystemFailure, origin: string): string {
  const { code } = failure;
  if (lacksTls(failure)) {
    return `${origin} does not use TLS (${code}). Nothing was posted. Check the port, or use http:// if the server does not use TLS.`;
  }
  if (!UNTRUSTED_CERTIFICATE.test(code)) {
    return `The certificate of ${origin} is not valid (${code}). Nothing was posted.`;
  }
  return (
    `The certificate of ${origin} is not trusted (${code}). Nothing was posted. ` +
    'If your own CA signed it, set NODE_EXTRA_CA_CERTS=FILE.'
  );
}

/**
 * Suggests https, because a TLS port closes a connection without TLS (`UND_ERR_SOCKET` in Node). It is only a
 * suggestion, because a crashing server does the same.
 */
function schemeAdvice(failure: SystemFailure | undefined, origin: string): string {
  const mayBeTls = origin.startsWith('http:') && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(failure?.code ?? '');
  return mayBeTls ? ' If the server uses TLS, use https://.' : '';
}

interface Runtime {
  Bun?: unknown;
  Deno?: unknown;
  process?: {
    env?: Record<string, string | undefined>;
    execArgv?: string[];
    allowedNodeEnvironmentFlags?: ReadonlySet<string>;
  };
}

/** Returns the proxy in the environment for a URL, and whether the `fetch` of this runtime uses it. */
export function runtimeProxy(url: string): { proxy: ProxySetting; isUsed: boolean } | undefined {
  const { Bun, Deno, process } = globalThis as Runtime;
  // Deno would ask for permission to read the environment.
  const { env, execArgv, allowedNodeEnvironmentFlags: flags } = (Deno === undefined && process) || {};
  const proxy = env && proxyFor(url, env);
  if (!proxy) return undefined;
  const isAsked = env.NODE_USE_ENV_PROXY === '1' || execArgv?.includes('--use-env-proxy');
  return { proxy, isUsed: Bun !== undefined || (isAsked === true && flags?.has('--use-env-proxy') === true) };
}
