/**
 * Proves what happens when the disk fails: it is full, its system calls end with errors, it becomes read-only, its pages are damaged. Never a
 * false 201; 503 with the four fields, and nothing stored of what was refused; those who read go on; posts are taken again by
 * themselves, or the server says what to do. Needs Linux, root (for small file systems) and strace.
 *
 * The long form: `--rounds 20 --faults 10 --pages 200`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultRound } from './disk/faults.ts';
import { Findings } from './disk/findings.ts';
import { fullRound } from './disk/full.ts';
import { readOnlyRound } from './disk/read-only.ts';
import { requireMounting } from './disk/small-disk.ts';
import { runProof } from './proof.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    from: { type: 'string', default: '0' },
    faults: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);

process.on('SIGTERM', () => process.exit(143));

await runProof({ limitSeconds: 120 + rounds * 30 }, async (proof) => {
  requireMounting(proof.folder);
  const findings = new Findings();
  for (let round = Number(values.from); round < rounds; round += 1) {
    proof.say(`round ${round + 1}: ${await fullRound(join(proof.folder, `full-${round}`), round, findings)}`);
  }
  findings.report(proof, 'full disk');

  const faultFindings = new Findings();
  for (let round = 0; round < Number(values.faults); round += 1) {
    for (const writerThread of [false, true]) {
      const folder = join(proof.folder, `faults-${round}-${writerThread}`);
      proof.say(`round ${round + 1}: ${await faultRound(folder, { findings: faultFindings, writerThread })}`);
    }
  }
  faultFindings.report(proof, 'faults');

  const readOnly = new Findings();
  proof.say(await readOnlyRound(join(proof.folder, 'read-only'), readOnly));
  readOnly.report(proof, 'read-only');
});
