import { describe, expect, test } from 'bun:test';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { HubClient, type HubClientOptions, HubUsageError } from './index.ts';

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

describe('the other options', () => {
  test.each([
    ['timeoutMs', 0],
    ['timeoutMs', -5],
    ['timeoutMs', Number.NaN],
    ['timeoutMs', '30'],
    ['timeoutMs', 2 ** 31],
    ['pacing', 'no'],
    ['waitWhenBlocked', 'yes'],
    ['waitWhenBlocked', -1],
    ['waitWhenBlocked', Number.NaN],
    ['connectRetries', 1.5],
    ['connectRetries', -1],
    ['connectRetries', Number.POSITIVE_INFINITY],
    ['userAgent', 'a\r\nx-evil: 1'],
    ['userAgent', ''],
    ['fetch', {}],
    ['onResponse', true],
    ['onRequest', true],
    ['keepAlive', 1],
  ])('%s: %p is rejected with the name of the option', (name, value) => {
    expect(usageErrorOf({ ...good, [name]: value }).message).toContain(name);
  });

  test.each([
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', 2 ** 31 - 1],
    ['waitWhenBlocked', true],
    ['waitWhenBlocked', 0],
    ['connectRetries', 0],
    ['userAgent', 'deploy-bot/2.1 (ci)'],
    ['fetch', undefined],
  ])('%s: %p is accepted', (name, value) => {
    expect(() => new HubClient({ ...good, [name]: value } as HubClientOptions)).not.toThrow();
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
