import { hasTokenFormat, KEY_PREFIX } from '@hub/contract/key-token';
import { nearestWord } from '@hub/contract/nearest-word';
import { parseBaseUrl } from './base-url.ts';
import { MAX_TIMER_MS } from './clock.ts';
import { HubUsageError } from './errors.ts';
import type { HubClientOptions, HubFetch, PostOptions } from './options.ts';
import { optionsProblem } from './options-problem.ts';

/** The version of this package, as in its package.json; a test keeps the two equal. */
export const VERSION = '1.0.0';

/**
 * The validated options with their defaults. They contain the key, so keep them out of everything that can be printed.
 */
export interface Settings {
  baseUrl: string;
  apiKey: string;
  timeoutMs: number;
  pacing: boolean;
  /** How long one call may wait for blocks to end; 0 if it does not wait. */
  blockWaitMs: number;
  connectRetries: number;
  userAgent: string;
  /** The `fetch` that was passed; undefined for the global one. */
  fetch: HubFetch | undefined;
  keepAlive: boolean;
  onRequest: HubClientOptions['onRequest'];
  onResponse: HubClientOptions['onResponse'];
  onWait: HubClientOptions['onWait'];
}

export function readSettings(options: HubClientOptions): Settings {
  if (typeof options !== 'object' || options === null) {
    throw new HubUsageError('The options of HubClient must be an object: new HubClient({ baseUrl, apiKey }).');
  }
  checkOptions(options, 'HubClient', OPTIONS);
  return {
    baseUrl: parseBaseUrl(options.baseUrl ?? environment('HUB_URL')),
    apiKey: readApiKey(options.apiKey ?? environment('HUB_API_KEY')),
    timeoutMs: readTimeoutMs(options.timeoutMs ?? 30_000),
    pacing: readFlag('pacing', options.pacing ?? true),
    blockWaitMs: readBlockWaitMs(options.waitWhenBlocked ?? false),
    connectRetries: readConnectRetries(options.connectRetries ?? 3),
    userAgent: readUserAgent(options.userAgent),
    fetch: readFunction('fetch', options.fetch),
    keepAlive: readFlag('keepAlive', options.keepAlive ?? false),
    onRequest: readFunction('onRequest', options.onRequest),
    onResponse: readFunction('onResponse', options.onResponse),
    onWait: readFunction('onWait', options.onWait),
  };
}

const OPTIONS: Record<keyof HubClientOptions, true> = {
  baseUrl: true,
  apiKey: true,
  timeoutMs: true,
  pacing: true,
  waitWhenBlocked: true,
  connectRetries: true,
  fetch: true,
  userAgent: true,
  keepAlive: true,
  onRequest: true,
  onResponse: true,
  onWait: true,
};

const POST_OPTIONS: Record<keyof PostOptions, true> = {
  signal: true,
  timeoutMs: true,
  runMarker: true,
  onRequest: true,
  onResponse: true,
  onWait: true,
};

/** Rejects misspelled options of one post, or of one upload besides its own. */
export function checkPostOptions(options: PostOptions, owner = 'create'): void {
  checkOptions(options, owner, POST_OPTIONS);
}

function checkOptions(options: object, owner: string, optionNames: Record<string, true>): void {
  const problem = optionsProblem(options, owner, optionNames, nearestWord);
  if (problem !== undefined) throw new HubUsageError(problem);
}

/** Returns a variable of the environment, where the runtime has one and grants access to it. */
function environment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** Validates the key. No error message includes the given value, because it may be most of a key. */
function readApiKey(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    throw new HubUsageError('apiKey is missing. Pass an API key that starts with hub_live_, or set HUB_API_KEY.');
  }
  if (typeof value !== 'string') throw new HubUsageError('apiKey must be a string.');
  if (hasTokenFormat(KEY_PREFIX, value)) return value;
  if (value.trim() !== value) {
    throw new HubUsageError('apiKey has leading or trailing white space, such as the newline of a file. Trim it.');
  }
  if (value.startsWith('hub_pat_')) {
    throw new HubUsageError(
      'apiKey is a personal access token, which cannot post. Pass an API key that starts with hub_live_.',
    );
  }
  throw new HubUsageError('apiKey is not a valid API key (hub_live_… with a checksum): it was mistyped or truncated.');
}

/** Validates the `timeoutMs` of the client or of one post. */
export function readTimeoutMs(value: unknown): number {
  if (typeof value === 'number' && value > 0 && (value <= MAX_TIMER_MS || value === Infinity)) return value;
  throw new HubUsageError(`timeoutMs must be above 0 and at most ${MAX_TIMER_MS}, or Infinity.`);
}

function readBlockWaitMs(value: unknown): number {
  if (typeof value === 'boolean') return value ? Infinity : 0;
  if (typeof value === 'number' && value >= 0) return value;
  throw new HubUsageError('waitWhenBlocked must be true, false or a number of milliseconds.');
}

function readConnectRetries(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new HubUsageError('connectRetries must be a whole number, 0 or more.');
}

function readFlag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new HubUsageError(`${name} must be true or false.`);
}

export function readFunction<T>(name: string, value: T): T {
  if (value === undefined || typeof value === 'function') return value;
  throw new HubUsageError(`${name} must be a function.`);
}

function readUserAgent(value: unknown): string {
  const own = `hub-client/${VERSION}`;
  if (value === undefined) return own;
  if (typeof value === 'string' && /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value)) return `${value} ${own}`;
  throw new HubUsageError('userAgent must be printable ASCII, such as deploy-bot/2.1.');
}
