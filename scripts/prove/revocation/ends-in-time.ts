import { randomInt } from 'node:crypto';
import type { IssuedKey } from '../../../packages/contract/src/index.ts';
import { ALL_SCOPES } from '../admin.ts';
import { postRequest } from '../connection.ts';
import type { ManualClockRun } from '../limits/hand-clocked-life.ts';
import { addressOf, ask } from './under-load.ts';

const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** A key and the time at which it stops working, by the server's clock. */
interface Ending {
  readonly name: string;
  readonly address: string;
  readonly request: string;
  readonly endsAt: number;
}

/**
 * Checks that each expiring or rotated key is accepted in the last millisecond of its validity and rejected in the
 * next, whether time passes or the clock is set to that time, even if the server is killed in between. Returns the
 * number of keys checked, and the problems.
 */
export async function endsInTime(run: ManualClockRun, count: number): Promise<{ ends: number; problems: string[] }> {
  const endings = await makeEndings(run, count);
  const problems: string[] = [];
  const expect = async (ending: Ending, status: number, when: string): Promise<void> => {
    const seen = await ask(run.port, ending);
    if (seen !== status) problems.push(`${ending.name} returns ${seen} ${when} its end`);
  };
  for (const [index, ending] of endings.entries()) {
    const left = ending.endsAt - 1 - run.wallMs;
    if (left >= 0) await (index % 2 === 0 ? run.advance(left) : run.jump(left));
    if (index % 8 === 7) {
      await run.kill();
      await run.start();
    }
    await expect(ending, 201, 'a millisecond before');
    await run.advance(1);
    await expect(ending, 401, 'at');
  }
  for (const ending of endings) await expect(ending, 401, 'long after');
  return { ends: endings.length, problems };
}

async function makeEndings(run: ManualClockRun, count: number): Promise<Ending[]> {
  const { admin } = run;
  const { id: hubId } = await admin.createHub('Ends');
  const issue = (name: string, expiresAt?: number): Promise<IssuedKey> =>
    admin.call('POST', '/keys', {
      hubId,
      name,
      scopes: ALL_SCOPES,
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    });
  const endings: Ending[] = [];
  const add = (name: string, { key }: IssuedKey, endsAt: number): void => {
    endings.push({ name, address: addressOf(endings.length), request: postRequest('messages', key, 'Hello'), endsAt });
  };
  for (let n = 0; n < count; n += 1) {
    // No two keys stop working at the same time.
    await run.advance(2);
    const soon = run.wallMs + (n + 1) * 500_003 + randomInt(1_000) * 2;
    add(`expiring ${n}`, await issue('expires', soon), soon);
    const rotated = await issue('rotated');
    add(`rotated ${n}`, rotated, run.wallMs + OVERLAP_MS);
    await admin.call('POST', `/keys/${rotated.id}/rotation`, {});
    const early = run.wallMs + (n + 1) * 700_001 + randomInt(1_000) * 2 + 1;
    const expiring = await issue('rotated, and expires before', early);
    add(`rotated and expiring ${n}`, expiring, early);
    await admin.call('POST', `/keys/${expiring.id}/rotation`, {});
  }
  return endings.sort((one, other) => one.endsAt - other.endsAt);
}
