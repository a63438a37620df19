/**
 * Promise: a key that expires or was rotated works through the last millisecond before its end, and not longer.
 *
 * Proof: each key posts in its last millisecond and in the next, whether time passes or the clock is set to that time,
 * even if the server is killed in between.
 *
 * Short form: `bun run prove:key-ends`. Long form: `--ends 20`.
 */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { loopbackAddress, ManualClockServer, postRequest, proofOptions, runProof, sendOnce } from '@hub/testkit';

const { ends } = proofOptions({ ends: 4 });

const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Accepts a key for one more millisecond. */
const counterProof = {
  change: {
    file: 'packages/contract/src/key-state.ts',
    find: '(end === null || now < end)',
    replace: '(end === null || now <= end)',
  },
  fails: 'end at their exact millisecond',
};

await runProof({ limitSeconds: 60 + ends * 10, counterProof }, async (proof) => {
  const server = await new ManualClockServer(join(proof.folder, 'data')).start();
  const { checked, problems } = await endsInTime(server, ends);
  proof.check(
    `${checked} expiries and 24-hour overlaps end at their exact millisecond, across kills and clock changes`,
    checked > 0 && problems.length === 0,
    problems.slice(0, 3).join('; '),
  );
  await server.stop();
});

/**
 * Checks that each expiring or rotated key is accepted in the last millisecond of its validity and rejected in the
 * next, whether time passes or the clock is set to that time, even if the server is killed in between.
 */
async function endsInTime(server: ManualClockServer, count: number): Promise<{ checked: number; problems: string[] }> {
  const endings = await makeEndings(server, count);
  const problems: string[] = [];
  const expect = async (ending: Ending, status: number, when: string): Promise<void> => {
    const { status: seen } = await sendOnce(server.port, ending.request, { from: ending.address });
    if (seen !== status) problems.push(`${ending.name} returns ${seen} ${when} its end`);
  };
  for (const [index, ending] of endings.entries()) {
    const left = ending.endsAt - 1 - server.wallMs;
    if (left >= 0) await (index % 2 === 0 ? server.advance(left) : server.jump(left));
    if (index % 8 === 7) {
      await server.kill();
      await server.start();
    }
    await expect(ending, 201, 'a millisecond before');
    await server.advance(1);
    await expect(ending, 401, 'at');
  }
  for (const ending of endings) await expect(ending, 401, 'long after');
  return { checked: endings.length, problems };
}

/** A key and the time at which it stops working, by the server's clock. */
interface Ending {
  readonly name: string;
  /** A separate address for each key, so that the failures of one do not slow down another. */
  readonly address: string;
  readonly request: string;
  readonly endsAt: number;
}

async function makeEndings(server: ManualClockServer, count: number): Promise<Ending[]> {
  const { admin } = server;
  const { id: hubId } = await admin.createHub('Ends');
  const endings: Ending[] = [];
  const issue = async (name: string, endsAt: number, isExpiring: boolean): Promise<string> => {
    const more = isExpiring ? { expiresAt: new Date(endsAt).toISOString() } : {};
    const { id, key } = await admin.issueKey({ hubId, name, ...more });
    endings.push({
      name,
      address: loopbackAddress(endings.length),
      request: postRequest('messages', key, 'Hello'),
      endsAt,
    });
    return id;
  };
  for (let n = 0; n < count; n += 1) {
    // No two keys stop working at the same time.
    await server.advance(2);
    await issue(`expiring ${n}`, server.wallMs + (n + 1) * 500_003 + randomInt(1_000) * 2, true);
    const early = server.wallMs + (n + 1) * 700_001 + randomInt(1_000) * 2 + 1;
    for (const id of [
      await issue(`rotated ${n}`, server.wallMs + OVERLAP_MS, false),
      await issue(`rotated and expiring ${n}`, early, true),
    ]) {
      await admin.call('POST', `/keys/${id}/rotation`, {});
    }
  }
  return endings.sort((one, other) => one.endsAt - other.endsAt);
}
