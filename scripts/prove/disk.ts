/**
 * Proves how the server handles a failing disk: a full disk, failing system calls, a read-only file system, and damaged
 * pages. The server must never send a 201 for a post that is not stored. Such posts get a 503 with the four error
 * fields, reading continues to work, and posting resumes by itself, or the server says what to do. Needs Linux, root
 * (for small file systems) and strace.
 *
 * The long form: `--rounds 20 --errors 10 --pages 200`.
 */
import { join } from 'node:path';
import { type Proof, proofOptions, runProof } from '@hub/testkit';
import { proveDamage } from './disk/damage-round.ts';
import { Findings } from './disk/findings.ts';
import { fullRound } from './disk/full.ts';
import { errorRound } from './disk/io-errors.ts';
import { readOnlyRound } from './disk/read-only.ts';
import { smallBlocksRound } from './disk/small-blocks.ts';
import { requireMounting } from './disk/small-disk.ts';

const { rounds, errors, pages } = proofOptions({ rounds: 3, errors: 1, pages: 8 });

// An interrupted proof must not leave its file systems mounted.
process.on('SIGTERM', () => process.exit(143));

await runProof({ limitSeconds: 100 + rounds * 20 + errors * 30 + pages }, async (proof) => {
  requireMounting(proof.folder);
  if (Bun.which('strace') === null) throw new Error('This proof needs strace: apt-get install strace');
  // Each round spends most of its time waiting.
  await Promise.all([
    proveFull(proof),
    proveIoErrors(proof),
    proveReadOnly(proof).then(() => proveDamage(proof, pages)),
  ]);
});

async function proveFull(proof: Proof): Promise<void> {
  const findings = new Findings();
  for (let round = 0; round < rounds; round += 1) {
    proof.report(`full disk ${round + 1}: ${await fullRound(join(proof.folder, `full-${round}`), round, findings)}`);
  }
  proof.report(`small blocks: ${await smallBlocksRound(join(proof.folder, 'small-blocks'), findings)}`);
  findings.report(proof, 'full disk');
}

async function proveIoErrors(proof: Proof): Promise<void> {
  const findings = new Findings();
  for (let round = 0; round < errors * 2; round += 1) {
    proof.report(`I/O errors ${round + 1}: ${await errorRound(join(proof.folder, `errors-${round}`), findings)}`);
  }
  findings.report(proof, 'errors');
}

async function proveReadOnly(proof: Proof): Promise<void> {
  const findings = new Findings();
  proof.report(`read-only: ${await readOnlyRound(join(proof.folder, 'read-only'), findings)}`);
  findings.report(proof, 'read-only');
}
