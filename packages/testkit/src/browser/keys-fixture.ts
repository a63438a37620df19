import type { IssuedKey, Scope } from '@hub/contract';
import { teamOn } from '../in-process/team.ts';
import { TestClock } from '../in-process/test-clock.ts';
import { post, startTestHub } from '../in-process/test-hub.ts';
import { addMember, signedIn, signIn } from '../in-process/users.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_BEFORE = 40;

/**
 * Starts a workspace with a key in each state, and with Mara, an admin who reads its Hubs. Its clock starts in the
 * past and ends at the current time.
 */
export async function startKeysFixture() {
  const clock = new TestClock(Date.now() - DAYS_BEFORE * DAY_MS);
  const hub = await startTestHub({ clock });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const mara = await signedIn(hub, { role: 'admin', name: 'Mara Lindqvist' });
  await addMember(hub, team.hubId, mara.user);
  const issue = async (name: string, scopes: Scope[] = ['messages:create'], lifetimeDays?: number) => {
    const lifetime = lifetimeDays === undefined ? {} : { lifetimeSeconds: lifetimeDays * 86_400 };
    return (await mara.json<IssuedKey>('POST', '/keys', { hubId: team.hubId, name, scopes, ...lifetime })).body;
  };
  const send = async ({ key }: { key: string }, count: number, address = '192.0.2.1') => {
    hub.setClientAddress(address);
    for (let n = 0; n < count; n += 1) await post(hub, 'messages', key, { text: `Run **${n}** is through` });
  };
  const keys = {
    pipeline: await issue('deploy-pipeline', ['messages:create', 'todos:create'], 365),
    canary: await issue('canary-watch'),
    backup: await issue('nightly-backup', ['messages:create', 'todos:create'], 46),
    drawer: await issue('restore-drill'),
    load: await issue('load-test', ['messages:create', 'notes:create', 'todos:create'], 20),
    probe: await issue('uptime-probe'),
  };
  for (let day = 1; day < DAYS_BEFORE; day += 1) {
    clock.advance(DAY_MS);
    await send(keys.pipeline, (day * 7) % 11, '10.0.4.22');
    if (day % 2 === 0) await send(keys.pipeline, 2, '10.0.4.17');
    await send(keys.canary, 1 + (day % 3));
    if (day < 20) await send(keys.load, 1);
    if (day % 3 === 0) await send(keys.backup, 2, '10.0.7.3');
    if (day === 30) await (await signIn(hub, mara.user)).json('POST', `/keys/${keys.probe.id}/revocation`);
  }
  clock.advance(DAY_MS - 40 * MINUTE_MS);
  const present = await signIn(hub, mara.user);
  const rotated = (await present.json<IssuedKey>('POST', `/keys/${keys.pipeline.id}/rotation`)).body;
  await send(keys.pipeline, 1, '10.0.4.22');
  await send(rotated, 1, '10.0.4.17');
  clock.advance(39 * MINUTE_MS);
  await send(keys.canary, 61, '10.0.4.31');
  await send(rotated, 1, '10.0.4.17');
  // The sessions have expired after all those weeks.
  const callers = await Promise.all([mara, team.ada, team.bob].map(({ user }) => signIn(hub, user)));
  const [maraNow = mara, ada = team.ada, bob = team.bob] = callers;
  return {
    ...team,
    hub,
    clock,
    mara: maraNow,
    ada,
    bob,
    keys: { ...keys, rotated },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}
