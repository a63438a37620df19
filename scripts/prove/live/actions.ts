import type { Team, TestUser } from '@hub/testkit';
import { pick, type Random } from '@hub/testkit';
import type { ItemAtHand, Ledger } from './ledger.ts';

const EMOJI = ['👍', '🎉', '👀'] as const;
/** The number of users who take the same action on an item at the same time. */
const MAX_AT_ONCE = 3;
const CREATION_SHARE = 0.25;
const DELETION_SHARE = 0.06;

interface RuntimeEnvironment {
  team: Team;
  ledger: Ledger;
  random: Random;
}

/** A single request from one user. */
type Action = (user: TestUser) => Promise<unknown>;

/** An action by team members, often by several of them on the same item at the same time. */
export async function act(around: RuntimeEnvironment): Promise<void> {
  const { team, ledger, random } = around;
  const hubId = pick(random, team.hubIds);
  const item = random() < CREATION_SHARE ? undefined : pick(random, ledger.atHand(hubId));
  const action = item ? change(around, item) : creation(around, hubId);
  const atOnce = item ? 1 + Math.floor(random() * MAX_AT_ONCE) : 1;
  const first = Math.floor(random() * team.users.length);
  const users = Array.from({ length: atOnce }, (_, n) => team.users[(first + n) % team.users.length] as TestUser);
  await Promise.all(users.map(action));
}

function creation({ ledger, random }: RuntimeEnvironment, hubId: string): Action {
  const text = `Written ${random()}`;
  const [room, body] = pick<[string, object]>(random, [
    ['messages', { text }],
    ['messages', { text: `**${text}**` }],
    ['notes', { title: 'A note', content: text }],
    ['todos', { title: text, priority: 'HIGH' }],
  ]);
  return async ({ token }) =>
    noteNew(ledger, await ledger.send<ItemAtHand>('POST', `/v1/hubs/${hubId}/${room}`, token, body));
}

function change(around: RuntimeEnvironment, item: ItemAtHand): Action {
  const { ledger, random } = around;
  const path = `/v1/${item.kind}s/${item.id}`;
  if (random() < DELETION_SHARE) {
    const by = item.kind === 'message' ? anAdmin(around) : undefined;
    return (user) => ledger.send('DELETE', path, (by ?? user).token);
  }
  if (item.kind === 'message') return messageChange(around, item, path);
  const body = item.kind === 'todo' ? todoChange(around) : noteChange(around, item.version);
  return (user) => ledger.send('PATCH', path, user.token, body);
}

function messageChange(around: RuntimeEnvironment, message: ItemAtHand, path: string): Action {
  const { ledger, random } = around;
  const text = `Changed ${random()}`;
  const dice = random();
  if (dice < 0.4) {
    const emoji = encodeURIComponent(pick(random, EMOJI));
    const method = pick(random, ['PUT', 'PUT', 'DELETE']);
    return ({ token }) => ledger.send(method, `${path}/reactions/${emoji}`, token);
  }
  if (dice < 0.55) {
    const { token } = anAdmin(around);
    return () => ledger.send('PATCH', path, token, { text });
  }
  // Threads are one level deep.
  const isReply = typeof message.parentId === 'string';
  const [verb, body] =
    isReply || dice < 0.7 ? ['conversion', { to: pick(random, ['todo', 'note']) }] : ['replies', { text }];
  return async ({ token }) =>
    noteNew(ledger, await ledger.send<ItemAtHand>('POST', `${path}/${verb}`, token, body as object));
}

function todoChange({ random, team }: RuntimeEnvironment): object {
  return pick<object>(random, [
    { status: 'done' },
    { status: 'open' },
    { assigneeId: pick(random, team.users).id },
    { assigneeId: null },
    { priority: pick(random, ['LOW', 'URGENT', null]), title: `Changed ${random()}` },
    { dueDate: '2030-02-03T04:05:06Z', content: `Changed ${random()}` },
  ]);
}

/** Sends the version that was read, so that only the first of several simultaneous edits succeeds. */
function noteChange({ random }: RuntimeEnvironment, baseVersion: number): object {
  const content = `Changed ${random()}`;
  return pick<object>(random, [{ content }, { content, baseVersion }, { content, title: null }]);
}

function anAdmin({ random, team }: RuntimeEnvironment): TestUser {
  return pick(
    random,
    team.users.filter(({ isAdmin }) => isAdmin),
  );
}

/**
 * Replies and the results of conversions are new items, too. A repeated conversion returns the item that the first one
 * created.
 */
function noteNew(ledger: Ledger, item: ItemAtHand | undefined): void {
  if (item) ledger.acknowledge(item);
}
