import type { Json, JsonObject } from './json-nodes.ts';
import { post, startTestHub } from './start-test-hub.ts';
import { memberOf, signedIn, tokenOf } from './users.ts';

interface Caller {
  send: (path: string, init: RequestInit) => Promise<Response>;
}

/** Starts a server with one of everything that a path or a body can refer to, and with callers of each kind. */
export async function startStockedHub() {
  const hub = await startTestHub({ web: null });
  const root = (await (await hub.fetch('/api/openapi.json')).json()) as JsonObject;
  const { id: hubId } = await hub.admin.createHub();
  const { id: keyId, key } = await hub.admin.issueKey({ hubId });
  const owner = await memberOf(hub, hubId, { role: 'owner', name: 'Ada Lovelace' });
  const member = await memberOf(hub, hubId, { name: 'Bob Kahn' });
  const other = await signedIn(hub, { name: 'Cleo' });
  const make = async (path: string, body: object) =>
    (await member.json<{ id: string }>('POST', `/hubs/${hubId}/${path}`, body)).body.id;
  const messageId = await make('messages', { text: 'Release @Ada Lovelace' });
  await post(hub, 'messages', key, { blocks: [{ type: 'paragraph', data: { text: 'posted' } }] });
  const invitation = await hub.admin.raw('POST', '/invitations', { email: 'dora@example.org' });
  const { id: invitationId, link } = (await invitation.json()) as { id: string; link: string };
  const removal = await hub.admin.raw('POST', `/keys/${keyId}/removals`, {});
  const token = await tokenOf(hub, owner.user);
  const { body: tokens } = await owner.json<{ items: { id: string }[] }>('GET', '/me/tokens');
  const { body: sessions } = await member.json<{ items: { id: string }[] }>('GET', '/me/sessions');
  const ids: Record<string, string> = {
    hubId,
    keyId,
    messageId,
    itemId: messageId,
    noteId: await make('notes', { content: 'Changes' }),
    todoId: await make('todos', { title: 'Renew' }),
    personId: other.user.id,
    assigneeId: member.user.id,
    invitationId,
    removalId: ((await removal.json()) as { id: string }).id,
    tokenId: tokens.items[0]?.id ?? '',
    sessionId: sessions.items[0]?.id ?? '',
    emoji: '👍',
    before: messageId,
    after: messageId,
    authorId: member.user.id,
    upTo: messageId,
  };
  const known: Record<string, Json> = {
    ...ids,
    hubIds: [hubId],
    itemIds: [messageId],
    email: 'eve@example.org',
    password: 'correct horse battery',
    newPassword: 'another battery of horses',
    currentPassword: member.user.password,
    token: link.split('#')[1] ?? '',
    timeZone: 'Europe/Berlin',
    q: 'release',
  };
  const callers: Caller[] = [owner, member, token].map((user) => ({ send: user.fetch }));
  callers.push({ send: (path, init) => fetch(`http://localhost${path}`, { ...init, unix: hub.socketPath }) });
  // In a Hub that no request refers to, so that no request deletes it.
  const { id: postsId } = await hub.admin.createHub('Posts');
  const { key: wide } = await hub.admin.issueKey({ hubId: postsId });
  const { key: narrow } = await hub.admin.issueKey({ hubId: postsId, scopes: ['messages:create'] });
  return {
    hub,
    root,
    ids,
    known,
    callers,
    keys: [wide, wide, wide, narrow],
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

export type StockedHub = Awaited<ReturnType<typeof startStockedHub>>;
