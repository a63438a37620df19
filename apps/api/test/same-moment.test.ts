import { expect, test } from 'bun:test';
import { outcomeOf } from '@hub/testkit/admin';
import { teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Store } from '../src/storage/store.ts';

/** Starts a server that counts how often work ran in vain, because another transaction was in its way. */
async function startCounting() {
  let repeated = 0;
  const wrapStore = (store: Store): Store => ({
    ...store,
    transaction: (work, sender) => {
      let runs = 0;
      return store.transaction((tx) => {
        runs += 1;
        if (runs > 1) repeated += 1;
        return work(tx);
      }, sender);
    },
  });
  const hub = await startTestHub({ wrapStore });
  const { bob, hubId } = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const [carol, dave] = [await signedIn(hub, { role: 'admin' }), await signedIn(hub, { role: 'admin' })];
  const carolsToken = await tokenOf(hub, carol.user);
  const dispose = () => hub[Symbol.asyncDispose]();
  return { hub, hubId, bob, carol, dave, carolsToken, repeats: () => repeated, [Symbol.asyncDispose]: dispose };
}

type Fixture = Awaited<ReturnType<typeof startCounting>>;
type Ask = [caller: UserCaller, method: string, path: string, body?: object];

/** Requests that lock the same rows, by what they do. The last argument is the number of the round. */
const REQUESTS: Record<string, (fixture: Fixture, n: number) => Ask[]> = {
  'rename their sender': ({ bob }, n) =>
    [1, 2, 3].map((each): Ask => [bob, 'PATCH', '/me', { name: `Bob ${n} ${each}` }]),
  'rename the same user': ({ bob, carol, dave }, n) =>
    [carol, dave, carol].map((by, each): Ask => [by, 'PATCH', `/users/${bob.user.id}`, { name: `Bob ${n} ${each}` }]),
  'rename each other': ({ carol, dave }, n) => [
    [carol, 'PATCH', `/users/${dave.user.id}`, { name: `Dave ${n}` }],
    [dave, 'PATCH', `/users/${carol.user.id}`, { name: `Carol ${n}` }],
    [carol, 'PATCH', '/me', { name: `Carol ${n} II` }],
  ],
  'rename a user who joins a Hub': ({ bob, carol, dave, hubId }, n) => [
    [bob, 'PATCH', '/me', { name: `Bob ${n}` }],
    [carol, 'POST', `/hubs/${hubId}/members`, { userId: bob.user.id }],
    [dave, 'DELETE', `/hubs/${hubId}/members/${bob.user.id}`],
  ],
  'add each other to a Hub': ({ carol, dave, hubId }) => [
    [carol, 'POST', `/hubs/${hubId}/members`, { userId: dave.user.id }],
    [dave, 'POST', `/hubs/${hubId}/members`, { userId: carol.user.id }],
    [carol, 'PATCH', `/users/${dave.user.id}`, { role: 'admin' }],
  ],
  'disable and enable a user': ({ bob, carol, dave }) => [
    [carol, 'POST', `/users/${bob.user.id}/deactivation`],
    [dave, 'POST', `/users/${bob.user.id}/reactivation`],
    [carol, 'POST', `/users/${bob.user.id}/password-reset`],
  ],
  'create tokens': ({ carol }, n) =>
    [1, 2, 3].map((each): Ask => [carol, 'POST', '/me/tokens', { name: `${n} ${each}`, lifetimeSeconds: 3_600 }]),
  'change the workspace': ({ carol, dave }, n) =>
    [carol, dave, carol].map((by, each): Ask => [by, 'PATCH', '/workspace', { name: `Hub ${n} ${each}` }]),
  'change the workspace, and names': ({ carol, dave, carolsToken }, n) => [
    [carol, 'PATCH', '/workspace', { botName: `Robot ${n}` }],
    [dave, 'PATCH', '/me', { name: `Dave of ${n}` }],
    [carolsToken, 'PATCH', '/me', { name: `Carol of ${n}` }],
  ],
};

test.each(Object.entries(REQUESTS))(
  'requests at the same moment that %s do not get in each other’s way',
  async (_, requests) => {
    await using fixture = await startCounting();
    for (let n = 0; n < 8; n += 1) {
      const responses = await Promise.all(
        requests(fixture, n).map(([caller, method, path, body]) => caller.json(method, path, body)),
      );
      const failed = responses.filter(({ status }) => ![200, 201, 404, 409].includes(status));
      expect(failed.map(outcomeOf)).toEqual([]);
    }
    expect(fixture.repeats()).toBe(0);
  },
);

test('the sessions of a user can be ended at the same moment, also the one that ends them', async () => {
  await using fixture = await startCounting();
  const { hub, carol } = fixture;
  for (let n = 0; n < 5; n += 1) {
    const [one, other] = [await signIn(hub, carol.user), await signIn(hub, carol.user)];
    const { body } = await one.json<{ items: { id: string; isCurrent: boolean }[] }>('GET', '/me/sessions?limit=2');
    const ids = body.items.map(({ id }) => id);
    const ends = [one, other].flatMap((by) => ids.map((id) => by.json('DELETE', `/me/sessions/${id}`)));
    for (const { status } of await Promise.all(ends)) expect([200, 401, 404]).toContain(status);
  }
  expect(fixture.repeats()).toBe(0);
});
