import { expect, test } from 'bun:test';
import { checkAgreement } from '@hub/testkit/openapi/openapi-agreement';

// `bun run prove fuzz --part OpenAPI --requests 20000` is the long version.
test('the server accepts and rejects what the OpenAPI document says, and responds as documented', async () => {
  const { findings, statuses, succeeded, operations } = await checkAgreement({ requests: 400, seed: 13 });
  expect(findings).toEqual([]);
  // If everything or nothing was rejected, the test would prove nothing.
  expect(succeeded.size).toBeGreaterThan(operations / 2);
  expect(statuses[400]).toBeGreaterThan(50);
});
