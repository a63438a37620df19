/**
 * Promise: the OpenAPI document and the server agree. Input that the document accepts never gets a 400, input that it
 * rejects never succeeds, and every response is listed and matches its schema.
 *
 * Proof: sends requests to every operation, generated from the document and mutated.
 *
 * Short form: `bun run prove:openapi`. Long form: `--requests 20000`. `--seed` reproduces an earlier run.
 */
import { parseArgs } from 'node:util';
import { runProof } from '@hub/testkit';
import { checkAgreement } from '../../apps/api/test/support/openapi-agreement.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '2000' }, seed: { type: 'string' } } });
const requests = Number(values.requests);
// The short form is the same in every run, so that it fails only after a change; longer ones look further.
const seed = Number(values.seed ?? (requests > 2000 ? Math.floor(Math.random() * 2 ** 31) : 1));

await runProof({ limitSeconds: 60 + requests / 5 }, async (proof) => {
  proof.report(`${requests} requests, --seed ${seed}`);
  const { findings, statuses, succeeded, operations } = await checkAgreement({ requests, seed });
  proof.report(`statuses: ${JSON.stringify(statuses)}`);
  for (const finding of findings.slice(0, 20)) proof.report(finding);
  proof.check('document and server agree', findings.length === 0, `${findings.length} findings`);
  const share = `${succeeded.size} of ${operations}`;
  proof.check('most operations succeed at least once', succeeded.size > operations / 2, share);
});
