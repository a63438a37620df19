import type { Deps, Fetch } from './deps.ts';
import { CliError, unreachableError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Long enough for a server that is busy, short enough for a person who waits. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/** Nothing was sent: nobody listens there, or there is no such host. */
const NOT_REACHED =
  /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|FailedToOpenSocket)$/;

/** The server's certificate was refused, before anything was sent. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER))/;
/** Of these, the ones over who signed it: to be mended with a CA of one's own. */
const UNTRUSTED_CERTIFICATE = /^(CERT_UNTRUSTED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;
const NO_TLS = /TLS handshake failed|wrong version number/i;

/** `fetch` to a server on the network. What fails becomes what to do about it; a redirect is not followed. */
export function networkFetch(deps: Pick<Deps, 'fetch' | 'version'>, serverUrl: string, token?: string): Fetch {
  const { origin } = new URL(serverUrl);
  return async (url, init) => {
    const headers = new Headers(init.headers);
    headers.set('user-agent', `hubctl/${deps.version}`);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = init.signal ?? AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await deps.fetch(url, { ...init, headers, signal, redirect: 'manual' }).catch((error) => {
      throw networkFailure(error, origin);
    });
    if (response.status >= 300 && response.status < 400) throw redirected(response, origin);
    return response;
  };
}

/** The token must not travel to an address that nobody chose. */
function redirected(response: Response, origin: string): CliError {
  const location = response.headers.get('location');
  const target = location !== null && URL.canParse(location, origin) ? new URL(location, origin).origin : undefined;
  const hint =
    target === undefined || target === origin
      ? 'Check the address of the server.'
      : `If that is your server too, log in to it by that address: hubctl login ${target}`;
  const message = `${origin} sends hubctl elsewhere${target === undefined ? '' : `, to ${target}`}. Nothing was done.`;
  return new CliError('redirected', EXIT.failed, message, { statusCode: response.status, hint });
}

function networkFailure(error: unknown, origin: string): unknown {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  const reason = typeof code === 'string' ? code : String(name ?? error);
  if (name === 'AbortError') return error;
  if (name === 'TimeoutError') {
    return new CliError('timeout', EXIT.unreachable, `${origin} did not answer within 30 seconds.`, {
      hint: 'It may have done what was asked: look before you ask again.',
    });
  }
  if (reason === 'ERR_SSL_WRONG_VERSION_NUMBER' || (reason === 'EPROTO' && NO_TLS.test(String(message)))) {
    return unreachableError(
      `${origin} does not speak TLS (${reason}).`,
      'Check the port, or write http:// if it is a plain one.',
    );
  }
  if (UNTRUSTED_CERTIFICATE.test(reason)) {
    return unreachableError(
      `The certificate of ${origin} is not trusted (${reason}).`,
      'If your own CA signed it, name that in NODE_EXTRA_CA_CERTS=FILE.',
    );
  }
  if (BAD_CERTIFICATE.test(reason)) {
    return unreachableError(`The certificate of ${origin} is not valid for it (${reason}).`, 'Check the address.');
  }
  const scheme = origin.startsWith('http:') ? ' If the server speaks TLS, write https://.' : '';
  if (NOT_REACHED.test(reason)) {
    const hint = `Check the address, the network, and that the server runs.${scheme}`;
    return unreachableError(`Cannot reach ${origin} (${reason}).`, hint);
  }
  return unreachableError(
    `The connection to ${origin} broke (${reason}).`,
    `The server may have done what was asked: look before you ask again.${scheme}`,
  );
}
