import { describe, expect, test } from 'bun:test';
import packageJson from '../package.json';
import { TEST_KEY } from '../test/timed-client.ts';
import { parseBaseUrl } from './base-url.ts';
import { HubClient, type HubClientOptions, HubUsageError } from './index.ts';
import { VERSION } from './settings.ts';
import { requireSafeRuntime } from './unsafe-runtime.ts';

const good = { baseUrl: 'https://hub.example.com', apiKey: TEST_KEY };

function usageErrorOf(options: unknown): HubUsageError {
  try {
    new HubClient(options as HubClientOptions);
  } catch (error) {
    if (error instanceof HubUsageError) return error;
    throw error;
  }
  throw new Error('The client was created.');
}

describe('apiKey', () => {
  test.each([
    ['missing', undefined, /^apiKey is missing/],
    ['empty', '', /^apiKey is missing/],
    ['not a string', 42, /must be a string/],
    ['with the newline of a file', `${TEST_KEY}\n`, /leading or trailing white space.*Trim/],
    ['a personal access token', `hub_pat_${TEST_KEY.slice(9)}`, /personal access token/],
    ['with a wrong checksum', `${TEST_KEY.slice(0, -1)}!`, /mistyped or truncated/],
    ['with one letter changed', TEST_KEY.replace('Test', 'Tast'), /mistyped or truncated/],
    ['truncated', TEST_KEY.slice(0, -3), /mistyped or truncated/],
  ])('%s is rejected, and the error does not contain it', (_, apiKey, message) => {
    const error = usageErrorOf({ ...good, apiKey });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(TEST_KEY.slice(9, 20));
    expect(error).toMatchObject({ mayHaveCreated: false, kind: 'usage' });
  });
});

test('the address and the key come from the environment unless they are passed, and errors name the variables', () => {
  const before = { ...process.env };
  try {
    delete process.env.HUB_URL;
    delete process.env.HUB_API_KEY;
    const url: string | undefined = process.env.HUB_URL;
    expect(usageErrorOf({ ...good, baseUrl: url }).message).toMatch(/^baseUrl is missing.*HUB_URL/);
    const withoutKey = { ...good, apiKey: process.env.HUB_API_KEY };
    expect(usageErrorOf(withoutKey).message).toMatch(/^apiKey is missing.*HUB_API_KEY/);
    process.env.HUB_URL = 'https://hub.example.com';
    process.env.HUB_API_KEY = 'hub_live_wrong';
    expect(usageErrorOf({}).message).toContain('mistyped or truncated');
    process.env.HUB_API_KEY = TEST_KEY;
    const hub = new HubClient();
    expect(() => hub.withOptions({ apiKey: 'hub_live_wrong' })).toThrow('mistyped or truncated');
    expect(() => hub.withOptions({ timeoutMs: 0 })).toThrow('timeoutMs');
    expect(hub.withOptions({ timeoutMs: 5 })).toBeInstanceOf(HubClient);
  } finally {
    process.env = before;
  }
});

describe('the other options', () => {
  test.each<[name: string, wrong: unknown[], right: unknown[]]>([
    ['timeoutMs', [0, -5, Number.NaN, '30', 2 ** 31], [Number.POSITIVE_INFINITY, 2 ** 31 - 1]],
    ['pacing', ['no'], []],
    ['waitWhenBlocked', ['yes', -1, Number.NaN], [true, 0]],
    ['connectRetries', [1.5, -1, Number.POSITIVE_INFINITY], [0]],
    ['userAgent', ['a\r\nx-evil: 1', ''], ['deploy-bot/2.1 (ci)']],
    ['fetch', [{}], [undefined]],
    ['onResponse', [true], []],
    ['onRequest', [true], []],
    ['onWait', [true], []],
    ['keepAlive', [1], []],
  ])('%s rejects %p with its name, and accepts %p', (name, wrong, right) => {
    for (const value of wrong) expect(usageErrorOf({ ...good, [name]: value }).message).toContain(name);
    for (const value of right) expect(() => new HubClient({ ...good, [name]: value })).not.toThrow();
  });

  test.each([
    ['apikey', 'did you mean apiKey?'],
    ['baseURL', 'did you mean baseUrl?'],
    ['timeout', 'did you mean timeoutMs?'],
    ['retries', 'did you mean connectRetries?'],
    ['waitWhenBlock', 'did you mean waitWhenBlocked?'],
    ['headers', 'the options are baseUrl, apiKey,'],
  ])('%s is rejected as unknown, with a suggestion or a list of all options', (name, hint) => {
    const { message } = usageErrorOf({ ...good, [name]: TEST_KEY });
    expect(message).toContain(`"${name}"; ${hint}`);
    expect(message).not.toContain(TEST_KEY);
  });
});

test.each([
  ['https://hub.example.com', 'https://hub.example.com'],
  ['https://hub.example.com/', 'https://hub.example.com'],
  ['http://127.0.0.1:3000//', 'http://127.0.0.1:3000'],
  ['https://example.com/team/hub', 'https://example.com/team/hub'],
  ['https://example.com/team/hub/', 'https://example.com/team/hub'],
  ['https://hub.example.com/api/public/v1', 'https://hub.example.com'],
  ['https://example.com/hub/api/public/v1/', 'https://example.com/hub'],
  ['https://example.com/hub/api/public/v1/messages', 'https://example.com/hub'],
  ['HTTPS://Hub.Example.COM', 'https://hub.example.com'],
])('parseBaseUrl reads %s as %s', (given, base) => {
  expect(parseBaseUrl(given)).toBe(base);
  expect(parseBaseUrl(new URL(given))).toBe(base);
});

test.each([
  [undefined, /missing/],
  [42, /missing/],
  ['hub.example.com', /not an absolute URL/],
  ['', /not an absolute URL/],
  ['localhost:3000', /must start with https:\/\/ or http:\/\//],
  ['ftp://hub.example.com', /must start with/],
  ['https://ann:s3cret@hub.example.com', /must not contain a user name or password/],
  ['https://ann@hub.example.com', /must not contain a user/],
  ['https://hub.example.com?key=s3cret', /must not have a query/],
  ['https://hub.example.com/?', /must not have a query/],
  ['https://hub.example.com/#s3cret', /must not have a query or a fragment/],
])('parseBaseUrl rejects %p, and the error does not contain it', (given, message) => {
  const reject = () => parseBaseUrl(given);
  expect(reject).toThrow(HubUsageError);
  expect(reject).toThrow(message);
  expect(reject).not.toThrow(/s3cret/);
});

const page = { window: {}, document: {}, navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140' } };
const native = { navigator: { product: 'ReactNative' } };

test.each<[what: string, environment: object, problem: string]>([
  ['Node', { process: { versions: { node: '20.0.0' } } }, ''],
  ['jsdom under Node', { ...page, process: { versions: { node: '20.0.0' } } }, ''],
  ['the test set-up of React Native', { ...native, process: { versions: { node: '20' } } }, ''],
  ['Bun', { Bun: {} }, ''],
  ['happy-dom under Bun', { ...page, Bun: {} }, ''],
  ['Deno, which has window and workers', { ...page, Deno: {}, WorkerGlobalScope: class {} }, ''],
  ['Cloudflare Workers', { WorkerGlobalScope: class {}, navigator: { userAgent: 'Cloudflare-Workers' } }, ''],
  ['an edge runtime without navigator', { EdgeRuntime: 'edge-runtime' }, ''],
  ['a page', page, 'a browser'],
  ['a page whose bundler fills in process', { ...page, process: { versions: {}, env: {} } }, 'a browser'],
  ['a worker of a page', { WorkerGlobalScope: class {}, navigator: page.navigator }, 'a browser'],
  ['React Native', { ...native, process: { env: {} } }, 'React Native'],
  ['React Native with a window', { window: {}, ...native }, 'React Native'],
])('%s is a runtime for a key unless others can read it there', (_, environment, problem) => {
  if (problem === '') requireSafeRuntime(environment);
  else expect(() => requireSafeRuntime(environment)).toThrow(new RegExp(`${problem}.*from your server`));
});

test('VERSION matches package.json', () => {
  expect(VERSION).toBe(packageJson.version);
});
