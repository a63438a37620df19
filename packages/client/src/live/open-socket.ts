import { leakyPlace } from '../unsafe-runtime.ts';
import type { LiveOptions, LiveSocket } from './options.ts';

const LIVE_PATH = '/api/v1/live';

/** Where, and with what, a connection is opened. */
export interface Target {
  url: string;
  /** The same for `fetch`; undefined if that cannot go there. */
  httpUrl: string | undefined;
  headers: Record<string, string>;
}

/** @throws TypeError if the options name no server. Its messages do not repeat addresses, which may hold secrets. */
export function readTarget(options: LiveOptions): Target {
  const headers: Record<string, string> = options.token ? { authorization: `Bearer ${options.token}` } : {};
  const url = String(options.url ?? webSocketUrl(options.baseUrl ?? ownOrigin()));
  const isSocketPath = url.startsWith('ws+unix:') || url.startsWith('wss+unix:');
  if (!isSocketPath && !/^wss?:$/.test(parse(url).protocol))
    throw new TypeError('url must begin with ws:// or wss://.');
  return { url, httpUrl: isSocketPath ? undefined : url.replace(/^ws/, 'http'), headers };
}

function webSocketUrl(baseUrl: string | URL): string {
  const url = parse(baseUrl);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with https:// or http://.');
  if (url.search !== '' || url.hash !== '') throw new TypeError('baseUrl must not have a query or a fragment.');
  return `${url.origin.replace(/^http/, 'ws')}${url.pathname.replace(/\/+$/, '')}${LIVE_PATH}`;
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin?: string } };
  if (typeof location?.origin === 'string' && location.origin.startsWith('http')) return location.origin;
  throw new TypeError('baseUrl is missing. Give the address of the server, such as https://hub.example.com.');
}

function parse(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw new TypeError('The address of the server is no absolute address.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The address of the server must not hold a user or a password.');
  }
  return url;
}

/** @throws TypeError if the runtime cannot open such a connection by itself, however often it is tried. */
export function requireWebSocket({ headers }: Target): void {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('This runtime has no WebSocket (Node has one from 22 on): pass createSocket.');
  }
  if (Object.keys(headers).length > 0 && leakyPlace() === 'a browser') {
    throw new TypeError('A browser cannot send a token: leave it out, and the cookie of the session goes along.');
  }
}

/** Opens the WebSocket of the runtime. */
export function openSocket(url: string, headers: Record<string, string>): LiveSocket {
  if (Object.keys(headers).length === 0) return new WebSocket(url);
  // What server runtimes take and browsers do not; those were refused before.
  const WithHeaders = WebSocket as unknown as new (url: string, options: { headers: object }) => LiveSocket;
  return new WithHeaders(url, { headers });
}
