import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

const PATH = '/api/public/v1/messages';

describe('the Content-Type', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  for (const contentType of [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; Charset="Utf-8"',
    'application/json; charset=utf8',
    'application/json;',
    'application/json; version=1; charset=utf-8',
    'application/vnd.hub.message+json',
    'application/ld+json; charset=utf-8',
  ]) {
    test(`accepts ${contentType} as JSON`, async () => {
      expect((await caller.request(PATH, { contentType, body: { text: 'x' } })).status).toBe(201);
    });
  }

  for (const contentType of [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/jsonp',
    'application/json-seq',
    'application/+json',
    'application/json, application/json',
    'json',
    '*/*',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset = utf-16',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=latin1',
  ]) {
    test(`returns 415 for ${contentType} with the header to add`, async () => {
      const response = await caller.request(PATH, { contentType, body: { text: 'x' } });
      expect(response.status).toBe(415);
      const { message } = await errorOf(response);
      expect(message).toContain('Add the header "Content-Type: application/json".');
      expect(message).toContain(contentType);
    });
  }

  test('returns 415 when it is missing, with the header to add', async () => {
    const response = await caller.request(PATH, { contentType: null, body: { text: 'x' } });
    expect(response.status).toBe(415);
    expect((await errorOf(response)).message).toBe(
      'The Content-Type is missing. Add the header "Content-Type: application/json".',
    );
  });

  test('truncates a long type in the message', async () => {
    const response = await caller.request(PATH, { contentType: `text/${'x'.repeat(5000)}`, body: { text: 'x' } });
    expect((await errorOf(response)).message.length).toBeLessThan(400);
  });

  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'x']) {
    test(`returns 415 for Content-Encoding ${encoding}, because compressed bodies are not supported`, async () => {
      const body = Bun.gzipSync(new TextEncoder().encode('{"text":"x"}'));
      const response = await caller.request(PATH, { body, headers: { 'content-encoding': encoding } });
      expect(response.status).toBe(415);
      expect((await errorOf(response)).message).toContain(`The Content-Encoding ${encoding} is not supported`);
    });
  }

  test('returns 413 for a body of the wrong type that is too large, even when it is chunked', async () => {
    const body = new Blob([new Uint8Array(1_048_577)]).stream();
    expect((await caller.request(PATH, { contentType: 'text/plain', body })).status).toBe(413);
    const small = new Blob(['x']).stream();
    expect((await caller.request(PATH, { contentType: 'text/plain', body: small })).status).toBe(415);
  });

  test('accepts Content-Encoding identity', async () => {
    const response = await caller.request(PATH, { body: { text: 'x' }, headers: { 'content-encoding': 'identity' } });
    expect(response.status).toBe(201);
  });
});
