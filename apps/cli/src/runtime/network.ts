import { NO_TUNNEL, type ProxySetting, proxyFor, proxyProblem } from '@hub/contract/proxy';
import type { Deps, Fetch } from './deps.ts';
import { CliError, failed, unreachableError, usageError } from './errors.ts';
import type { Output } from './output.ts';

/** Long enough for a busy server, short enough for a waiting user. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/** Errors before anything was sent: nothing is listening on the port, or the host cannot be reached. */
const NOT_REACHED =
  /^(ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|FailedToOpenSocket)$/;

/** Errors that reject the server's certificate before anything was sent. */
const BAD_CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER))/;
/** The subset for untrusted issuers, which a custom CA file can fix. */
const UNTRUSTED_CERTIFICATE = /^(CERT_UNTRUSTED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_)/;
const NO_TLS = /TLS handshake failed|wrong version number/i;

/** Returns a `fetch` for a server on the network. Errors get hints; redirects are not followed. */
export function networkFetch(deps: Pick<Deps, 'env' | 'fetch' | 'version'>, serverUrl: string, token?: string): Fetch {
  const { origin } = new URL(serverUrl);
  return async (url, init) => {
    const headers = new Headers(init.headers);
    headers.set('user-agent', `hubctl/${deps.version}`);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = init.signal ?? AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await deps.fetch(url, { ...init, headers, signal, redirect: 'manual' }).catch((error) => {
      throw networkFailure(error, origin, proxyFor(url, deps.env));
    });
    if (response.status >= 300 && response.status < 400) throw redirected(response, origin);
    return response;
  };
}

/** Rejects a redirect, so that the token is not sent to a server that the user did not choose. */
function redirected(response: Response, origin: string): CliError {
  const location = response.headers.get('location');
  const target = location !== null && URL.canParse(location, origin) ? new URL(location, origin).origin : undefined;
  const hint =
    target === undefined || target === origin
      ? 'Check the server URL.'
      : `If that is your server, too, log in with that URL: hubctl login ${target}`;
  const message = `${origin} redirects${target === undefined ? '' : ` to ${target}`}. Nothing was changed.`;
  return new CliError('redirected', message, { statusCode: response.status, hint });
}

/** The error for a server that did not respond in time. */
export function timedOut(server: string): CliError {
  return failed('timeout', `${server} did not respond within 30 seconds.`, CHECK_FIRST);
}

/** The hint after an error that leaves open whether a request arrived. */
export const CHECK_FIRST = 'The request may have succeeded. Check before you try again.';

function networkFailure(error: unknown, origin: string, proxy: ProxySetting | undefined): unknown {
  const { code, name, message } = error as { code?: unknown; name?: unknown; message?: unknown };
  const reason = typeof code === 'string' ? code : String(name ?? error);
  if (name === 'AbortError') return error;
  if (name === 'TimeoutError') return timedOut(origin);
  const lacksTls = reason === 'ERR_SSL_WRONG_VERSION_NUMBER' || (reason === 'EPROTO' && NO_TLS.test(String(message)));
  const isUnreached = NOT_REACHED.test(reason);
  if (proxy !== undefined && (isUnreached || reason === NO_TUNNEL)) return proxyError(proxy, origin, reason);
  const scheme = origin.startsWith('http:') ? ' If the server uses TLS, use https://.' : '';
  const [what, hint] = lacksTls
    ? [`${origin} does not use TLS`, 'Check the port, or use http:// if the server does not use TLS.']
    : UNTRUSTED_CERTIFICATE.test(reason)
      ? [`The certificate of ${origin} is not trusted`, 'If your own CA signed it, set NODE_EXTRA_CA_CERTS=FILE.']
      : BAD_CERTIFICATE.test(reason)
        ? [`The certificate of ${origin} is not valid`, 'Check the URL.']
        : isUnreached
          ? [`Cannot reach ${origin}`, `Check the URL, the network, and that the server is running.${scheme}`]
          : [`Lost the connection to ${origin}`, `${CHECK_FIRST}${scheme}`];
  return unreachableError(`${what} (${reason}).`, hint);
}

/** The error for a proxy that failed before anything was sent. */
export function proxyError(proxy: ProxySetting, origin: string, code: string): CliError {
  const hint = `Check ${proxy.variable}, or add ${new URL(origin).hostname} to NO_PROXY.`;
  return unreachableError(`${proxyProblem(proxy, origin, code)}.`, hint);
}

/** The paths of the APIs and of their operations, which are often copied together with the URL of a server. */
const API_PATH = /\/api(?:\/public)?\/v1(?:\/\w+)?$/;

/**
 * Parses a server URL and removes the path of the API. `source` is where it came from: `--url` or `HUB_URL`. The
 * error messages do not include the value, since users may mistake a key for a URL.
 */
export function readServerUrl(text: string, source: string): string {
  const problem = (what: string) => usageError(`${source} ${what}.`, 'Use a URL such as https://hub.example.com');
  if (lacksScheme(text)) throw problem('must start with https:// or http://');
  if (!URL.canParse(text)) throw problem('is not a valid URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw problem('must start with https:// or http://');
  if (url.username !== '' || url.password !== '') throw problem('must not contain a user name or password');
  if (url.search !== '' || url.hash !== '') throw problem('must not have a query or a fragment');
  const page = /\/(?:hubs|p|stream|settings)(?:\/.*)?$/.exec(url.pathname);
  if (!page) return url.origin + url.pathname.replace(/\/+$/, '').replace(API_PATH, '');
  const root = url.origin + url.pathname.slice(0, page.index);
  throw usageError(`${source} must be the root of the server, not one of its pages.`, `Use: ${root}`);
}

/**
 * Adds the scheme to a host such as `hub.example.com` or `localhost:3000`: http for this machine, where a server usually
 * has no certificate, else https. Returns any other text as it is, also a single word, which may be a secret.
 */
export function withScheme(text: string): string {
  if (!lacksScheme(text)) return text;
  const { hostname } = new URL(`https://${text}`);
  if (isLoopback(hostname)) return `http://${text}`;
  return /[.:]/.test(text) && !text.includes('@') ? `https://${text}` : text;
}

/** Returns whether the text is only a host. In `localhost:3000`, the part before the colon is not a scheme. */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(`https://${text}`);
}

/** Warns about plain HTTP. `what` is the secret about to be sent, as the subject of a sentence: `The key`. */
export function warnOfPlainHttp(output: Output, url: string, what: string): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  output.warn(`${what} is sent to ${host} unencrypted, where others can read it. Use https://`);
}

/** Returns whether a host is loopback: by name (RFC 6761, section 6.3) or address. */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
}
