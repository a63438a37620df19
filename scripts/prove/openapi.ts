/**
 * Promise: the OpenAPI document and the server agree. Input that the document accepts never gets a 400, input that it
 * rejects never succeeds, and every response is listed and matches its schema.
 *
 * Proof: sends requests to every operation, generated from the document and mutated.
 *
 * Short form: `bun run prove:openapi`. Long form: `--requests 20000`. `--seed` reproduces an earlier run.
 */
import { proofOptions, runProof } from '@hub/testkit';

const options = proofOptions({ requests: 2_000, seed: 0 });
const { requests } = options;
// The short form is the same in every run, so that it fails only after a change; longer ones look further.
const seed = options.seed || (requests > 2_000 ? Math.floor(Math.random() * 2 ** 31) : 1);

/** Requires text in each message, while the document says that blocks are enough. */
const counterProof = {
  change: {
    file: 'apps/api/src/programs/create-post.ts',
    find: 'text === undefined && blocks === undefined',
    replace: 'text === undefined',
  },
  fails: 'document and server agree',
};

await runProof({ limitSeconds: 60 + requests / 5, counterProof }, async (proof) => {
  // The server runs in this process: its source is loaded after the counter-proof has changed it.
  const { checkAgreement } = await import('../../apps/api/test/support/openapi-agreement.ts');
  proof.report(`${requests} requests, --seed ${seed}`);
  const { findings, statuses, succeeded, operations } = await checkAgreement({ requests, seed });
  proof.report(`statuses: ${JSON.stringify(statuses)}`);
  for (const finding of findings.slice(0, 20)) proof.report(finding);
  proof.check('document and server agree', findings.length === 0, `${findings.length} findings`);
  const share = `${succeeded.size} of ${operations}`;
  proof.check('most operations succeed at least once', succeeded.size > operations / 2, share);
});
