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
  // If the server says something else on purpose: bun scripts/generate-docs.ts
  for (const [operationId, examples] of Object.entries(kept)) {
    test(`${operationId}: are what the server takes and says`, () => {
      expect(examples).toEqual(recorded[operationId] as typeof examples);
    });
  }

  test('are all there', () => {
    expect(Object.keys(kept)).toEqual(Object.keys(recorded));
  });

  test('hold no secret that could open something: each says that it is an example', () => {
    const text = JSON.stringify(kept);
    const prefixes = [KEY_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX, LINK_PREFIX];
    const secrets = text.match(new RegExp(`(${prefixes.join('|')})\\w+`, 'g')) ?? [];
    expect(new Set(secrets).size).toBeGreaterThan(5);
    expect(secrets.filter((secret) => !isExampleSecret(secret))).toEqual([]);
  });

  test('hold no address but those of documentation', () => {
    const text = JSON.stringify(kept);
    const addresses = text.match(/\b\d+\.\d+\.\d+\.\d+\b/g) ?? [];
    expect(new Set(addresses)).toEqual(new Set(['192.0.2.1']));
    const mailboxes = text.match(/[\w.]+@[\w.]+/g) ?? [];
    expect(mailboxes.filter((mailbox) => !mailbox.endsWith('@example.org'))).toEqual([]);
  });
});
