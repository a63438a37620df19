import { beforeAll, describe, expect, test } from 'bun:test';
import { KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { isExampleSecret } from '../testing/openapi-examples/example-random.ts';
import { recordExamples } from '../testing/openapi-examples/record-examples.ts';
import type { OperationExamples } from './openapi-examples.ts';
import kept from './openapi-recorded-examples.json' with { type: 'json' };

let recorded: Readonly<Record<string, OperationExamples>>;
beforeAll(async () => {
  recorded = JSON.parse(JSON.stringify(await recordExamples()));
});

describe('the examples of the workspace API', () => {
  // If a response has changed on purpose, run: bun scripts/generate-docs.ts
  for (const [operationId, examples] of Object.entries(kept)) {
    test(`${operationId}: match what the server accepts and returns`, () => {
      expect(examples).toEqual(recorded[operationId] as typeof examples);
    });
  }

  test('exist for every operation', () => {
    expect(Object.keys(kept)).toEqual(Object.keys(recorded));
  });

  test('contain no usable secret: each is marked as an example', () => {
    const text = JSON.stringify(kept);
    const prefixes = [KEY_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX, LINK_PREFIX];
    const secrets = text.match(new RegExp(`(${prefixes.join('|')})\\w+`, 'g')) ?? [];
    expect(new Set(secrets).size).toBeGreaterThan(5);
    expect(secrets.filter((secret) => !isExampleSecret(secret))).toEqual([]);
  });

  test('contain only documentation addresses', () => {
    const text = JSON.stringify(kept);
    const addresses = text.match(/\b\d+\.\d+\.\d+\.\d+\b/g) ?? [];
    expect(new Set(addresses)).toEqual(new Set(['192.0.2.1']));
    const mailboxes = text.match(/[\w.]+@[\w.]+/g) ?? [];
    expect(mailboxes.filter((mailbox) => !mailbox.endsWith('@example.org'))).toEqual([]);
  });
});
