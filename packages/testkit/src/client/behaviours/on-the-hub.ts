import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type * as Client from '../../../../client/src/index.ts';
import { failureOf, isPending } from '../outcome.ts';
import type { Behaviours } from './trial.ts';

const text = { text: 'x' };
const untimed = { timeoutMs: Number.POSITIVE_INFINITY };

/** Tests against a real Hub server and its rate limit. */
export const onTheHub: Behaviours = {
  'posts a message, a note and a to-do, each once': async ({ client, url, server }) => {
    const { id, key } = await server.issueKey();
    const hub = new client.HubClient({ baseUrl: url, apiKey: key });
    const message = await hub.messages.create({ text: 'Grüße, **Welt** 🎉' }, { runMarker: 'build-1' });
    const note = await hub.notes.create({ title: 'Release', content: '## Changes' });
    const todo = await hub.todos.create({ title: 'Renew', dueDate: new Date(0), priority: 'URGENT' });
    const blocks = await hub.messages.create({ blocks: [{ type: 'paragraph', data: { text: 'Hi' } }] });
    deepEqual(Object.keys(message), ['id', 'conversationId', 'createdAt']);
    deepEqual(Object.keys(note), ['id', 'bucketId', 'createdAt']);
    deepEqual(Object.keys(todo), ['id', 'bucketId', 'createdAt']);
    equal(blocks.conversationId, message.conversationId);
    match(message.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    equal(await server.postCount(id), 4);
  },

  'passes the request ID and the rate limit of each response to onResponse': async ({ client, url, server }) => {
    const { key } = await server.issueKey();
    const responses: Client.HubResponse[] = [];
    const hub = new client.HubClient({ baseUrl: url, apiKey: key, onResponse: (response) => responses.push(response) });
    await hub.messages.create(text);
    ok(responses[0]?.requestId);
    equal(responses[0].statusCode, 201);
    const { limit, windowSeconds, remaining } = responses[0].rateLimit ?? {};
    deepEqual([limit, windowSeconds, remaining], [60, 60, 59]);
  },

  'has an error class for 400, 401, 403, 404, 413 and 415, with all details from the server': async (trial) => {
    const { client, url, server } = trial;
    const all = await server.issueKey();
    const hub = new client.HubClient({ baseUrl: url, apiKey: all.key });
    const unknownField = await failureOf(hub.todos.create({ title: 't', dueDte: 'x' } as { title: string }));
    ok(unknownField instanceof client.HubBadRequestError);
    match(unknownField.message, /dueDte.*dueDate/);
    equal(unknownField.statusCode, 400);
    equal(unknownField.path, '/api/public/v1/todos');
    ok(unknownField.requestId);
    ok(!Number.isNaN(Date.parse(unknownField.timestamp)));
    equal(unknownField.mayHaveCreated, false);

    ok(
      (await failureOf(hub.notes.create({ content: 'x'.repeat(1_100_000) }))) instanceof client.HubPayloadTooLargeError,
    );

    const asText: Client.HubFetch = (address, init) =>
      fetch(address, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'content-type': 'text/plain' },
      });
    const withoutJson = new client.HubClient({ baseUrl: url, apiKey: all.key, fetch: asText });
    ok((await failureOf(withoutJson.messages.create(text))) instanceof client.HubUnsupportedMediaTypeError);

    const narrow = await server.issueKey(['notes:create']);
    const notesOnly = new client.HubClient({ baseUrl: url, apiKey: narrow.key });
    await notesOnly.notes.create({ content: 'x' });
    ok((await failureOf(notesOnly.messages.create(text))) instanceof client.HubScopeError);

    await server.revokeKey(all.id);
    ok((await failureOf(hub.messages.create(text))) instanceof client.HubAuthenticationError);
    await server.deleteHub(narrow.hubId);
    ok((await failureOf(notesOnly.notes.create({ content: 'x' }))) instanceof client.HubNotFoundError);
  },

  'is blocked at the 61st request without pacing, and reports the remaining time': async ({ client, url, server }) => {
    const { key } = await server.issueKey();
    const hub = new client.HubClient({ baseUrl: url, apiKey: key, pacing: false });
    for (let index = 0; index < 60; index += 1) await hub.messages.create(text);
    const error = await failureOf(hub.messages.create(text));
    ok(error instanceof client.HubBlockedError);
    equal(error.retryAfterSeconds, 300);
  },

  'is not blocked with pacing, even by 150 simultaneous posts': async ({ timedClient, url, server }) => {
    const { id, key } = await server.issueKey();
    const { hub, clock } = timedClient({ baseUrl: url, apiKey: key, ...untimed });
    const posts = Array.from({ length: 150 }, () => hub.messages.create(text));
    await Promise.all(posts.slice(0, 60));
    ok(await isPending(posts[60] as Promise<unknown>));
    for (const until of [120, 150]) {
      await server.advance(60_050);
      clock.advance(60_050);
      await Promise.all(posts.slice(0, until));
    }
    equal(await server.postCount(id), 150);
  },

  'waits for the end of the block with waitWhenBlocked, and then posts': async ({
    client,
    timedClient,
    url,
    server,
  }) => {
    const { id, key } = await server.issueKey();
    const other = new client.HubClient({ baseUrl: url, apiKey: key, pacing: false });
    for (let index = 0; index < 61; index += 1) await other.messages.create(text).catch(() => {});
    const { hub, clock } = timedClient({ baseUrl: url, apiKey: key, waitWhenBlocked: true, ...untimed });
    const posted = hub.messages.create(text);
    await clock.armed();
    await server.advance(300_000);
    clock.advance(300_000);
    ok((await posted).id);
    equal(await server.postCount(id), 61);
  },
};
