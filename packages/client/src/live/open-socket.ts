import { LIVE_PATH } from '@hub/contract/paths';
import { leakyRuntime } from '../unsafe-runtime.ts';
import type { LiveOptions, LiveSocket } from './options.ts';

/** The URL and the headers of a connection. */
export interface Target {
  url: string;
  /** The same URL for `fetch`; undefined for a unix socket. */
  httpUrl: string | undefined;
  headers: Record<string, string>;
}

/**
 * @throws TypeError if the options do not name a valid server. The message never includes the URL, which may contain
 * secrets.
 */
export function readTarget(options: LiveOptions): Target {
  const headers: Record<string, string> = options.token ? { authorization: `Bearer ${options.token}` } : {};
  const url = String(options.url ?? webSocketUrl(options.baseUrl ?? ownOrigin()));
  const isSocketPath = url.startsWith('ws+unix:') || url.startsWith('wss+unix:');
  if (!isSocketPath && !/^wss?:$/.test(parse(url).protocol))
    throw new TypeError('url must start with ws:// or wss://.');
  return { url, httpUrl: isSocketPath ? undefined : url.replace(/^ws/, 'http'), headers };
}

function webSocketUrl(baseUrl: string | URL): string {
  const url = parse(baseUrl);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must start with https:// or http://.');
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must not have a query or a fragment.');
  return `${url.origin.replace(/^http/, 'ws')}${url.pathname.replace(/\/+$/, '')}${LIVE_PATH}`;
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin?: string } };
  if (typeof location?.origin === 'string' && location.origin.startsWith('http')) return location.origin;
  throw new TypeError('baseUrl is missing. Use the URL of the server, such as https://hub.example.com.');
}

function parse(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw new TypeError('The server URL is not an absolute URL.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The server URL must not contain a user name or password.');
  }
  return url;
}

/** @throws TypeError if the runtime has no WebSocket, or is a browser, which cannot send the headers. */
export function requireWebSocket({ headers }: Target): void {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('This runtime has no WebSocket (Node has one since version 22). Pass createSocket.');
  }
  if (Object.keys(headers).length > 0 && leakyRuntime() === 'a browser') {
    throw new TypeError('A browser cannot send a token. Omit it: the browser sends the session cookie.');
  }
}

/** Opens the runtime's own WebSocket. */
export function openSocket(url: string, headers: Record<string, string>): LiveSocket {
  if (Object.keys(headers).length === 0) return new WebSocket(url);
  // Server runtimes accept headers. Browsers do not; `requireWebSocket` has already rejected them.
  const WithHeaders = WebSocket as unknown as new (url: string, options: { headers: object }) => LiveSocket;
  return new WithHeaders(url, { headers });
}
