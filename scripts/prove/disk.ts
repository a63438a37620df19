/**
 * Promise: while the disk fails (it is full, system calls fail, its file system is read-only, its pages are damaged), a
 * 201 still means that the post is stored. Other posts get a 503 with the four fields, reading continues to work, and
 * posting resumes by itself, or the server says what to do.
 *
 * Proof: a real server with load and readers on small file systems that are filled, remounted and damaged, and under
 * strace, which makes its system calls fail. Needs Linux, root (for the file systems) and strace.
 *
 * Short form: `bun run prove:disk`. Long form: `--rounds 20 --errors 10 --pages 200`.
 */
import { join } from 'node:path';
import { type Proof, proofOptions, RULES, runProof } from '@hub/testkit';
import { proveDamage } from './disk/damage.ts';
import { fullRound, smallBlocksRound } from './disk/full.ts';
import { errorRound, readOnlyRound } from './disk/io-errors.ts';
import { requireMounting } from './disk/small-disk.ts';
import { Findings } from './disk/subject.ts';

const { rounds, errors, pages } = proofOptions({ rounds: 2, errors: 1, pages: 8 });

// An interrupted proof must not leave its file systems mounted.
process.on('SIGTERM', () => process.exit(143));

/** Takes one of ten failed commits for done. */
const counterProof = {
  change: {
    file: 'apps/api/src/storage/sqlite/engine/group-commit.ts',
    find: 'transaction.commit();',
    replace: `try {
      transaction.commit();
    } catch (error) {
      this.#abandon();
      if (Math.random() > 0.1) throw error;
    }`,
  },
  fails: RULES.kept,
};

await runProof({ limitSeconds: 100 + rounds * 20 + errors * 30 + pages, counterProof }, async (proof) => {
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
