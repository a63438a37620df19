import { expect, test } from 'bun:test';
import { checkAgreement } from '../testing/openapi-agreement.ts';

// `bun run prove:openapi --requests 20000` is the long form.
test('the server accepts what the OpenAPI document accepts, refuses what it refuses, and responds as it says', async () => {
  const { findings, statuses, succeeded, operations } = await checkAgreement({ requests: 400, seed: 13 });
  expect(findings).toEqual([]);
  // Were everything refused, or nothing, this would prove nothing.
  expect(succeeded.size).toBeGreaterThan(operations / 2);
  expect(statuses[400]).toBeGreaterThan(50);
});
