import { describe, expect, setSystemTime, test } from 'bun:test';
import type { EventFrame, Note } from '@hub/contract';
import { signal } from '@preact/signals';
import { note } from '../../../test/sample-items.ts';
import type { Workspace } from '../live/workspace.ts';
import { isOnline } from '../reachable.ts';
import { ApiError, NoResponse } from '../request.ts';
import { Outbox } from './outbox.ts';
import { saveText, TextConflict } from './save-text.ts';
import { deleteUnsaved } from './unsaved-text.ts';
import { failureText, readUnsent } from './unsent.ts';

describe('unsent messages', () => {
  const failure = (statusCode: number) => new ApiError({ statusCode, message: 'Not allowed here.' }, 'req_1');

  const unconfirmed = new ApiError({ statusCode: 503, message: 'It may have been stored: check.' }, 'req_1');
  test.each([
    ['an error', failure(400), '', 'Not allowed here.'],
    ['an error', failure(400), 'Not added. ', 'Not added. Not allowed here.'],
    ['503', failure(503), '', 'Not allowed here. (request req_1)'],
    ['503 of a lost commit', unconfirmed, 'Not added. ', 'It may have been stored: check. (request req_1)'],
    // It may have been sent.
    ['no response', new NoResponse(), 'Not sent. ', /Perhaps.$/],
    ['500', failure(500), 'Not sent. ', /Perhaps.$/],
    ['502', failure(502), 'Not sent. ', /Perhaps.$/],
    ['any other error', new Error('x'), 'Not sent. ', /Perhaps.$/],
  ])('shows after %s', (_, error, what, text) => {
    const shown = failureText(error, what, 'Perhaps.');
    if (typeof text === 'string') expect(shown).toBe(text);
    else expect(shown).toMatch(text);
  });

  test('reads stored messages and ignores anything else', () => {
    const unsent = { id: 'a', hubId: 'h', draftKey: 'h', text: 't', at: 'x', state: 'failed', failure: '' };
    for (const state of ['waiting', 'sending', 'failed'] as const) {
      expect<unknown>(readUnsent(JSON.stringify({ ...unsent, state }))).toEqual({ ...unsent, state });
    }
    for (const other of [null, '', '{', 'null', '[]', '{"id":"a"}', JSON.stringify({ ...unsent, state: 'x' })]) {
      expect(readUnsent(other)).toBeNull();
    }
  });
});

describe('saveText', () => {
  const NOTE = note(1, { title: 'Restoring', content: 'Stop the server.' });
  const BASE = { title: 'Restoring', content: 'Stop the server.', version: 1 };
  const MINE = { title: 'Restoring', content: 'Stop it first.' };

  /** A server with this note, which rejects changes that are based on another version. */
  function serverWith(present: Note) {
    const bodies: unknown[] = [];
    const ask = async (operation: string, options: { body?: unknown } = {}) => {
      if (operation === 'GET /items/{itemId}') return present;
      bodies.push(options.body);
      const { baseVersion } = options.body as { baseVersion: number };
      if (baseVersion !== present.version) throw new ApiError({ statusCode: 409, message: 'changed' }, null);
      return { ...present, version: present.version + 1 };
    };
    return { bodies, ask: ask as typeof import('../request.ts').request };
  }

  test.each([
    ['only the changed fields', MINE, { content: 'Stop it first.' }],
    ['null for a title that was emptied', { ...BASE, title: ' ' }, { title: null }],
  ])('sends %s', async (_, text, fields) => {
    const { bodies, ask } = serverWith(NOTE);
    await saveText({ item: NOTE, base: BASE, text }, ask);
    expect(bodies).toEqual([{ ...fields, baseVersion: 1 }]);
  });

  test('saves over a newer version with the same text', async () => {
    const { bodies, ask } = serverWith({ ...NOTE, version: 4 });
    await saveText({ item: NOTE, base: BASE, text: MINE }, ask);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual({ content: 'Stop it first.', baseVersion: 4 });
  });

  test('takes its own text on the server as saved, even if that was never confirmed', async () => {
    const saved = { ...NOTE, ...MINE, version: 2 };
    const { bodies, ask } = serverWith(saved);
    expect(await saveText({ item: saved, base: BASE, text: MINE }, ask)).toBe(saved);
    expect(bodies).toEqual([]);
    // The event for the change has not arrived yet.
    expect(await saveText({ item: NOTE, base: BASE, text: MINE }, ask)).toBe(saved);
  });

  test('throws TextConflict when the text has changed, even if the new text is already loaded', async () => {
    const newer = { ...NOTE, version: 2, content: 'Do not stop it.' };
    const { bodies, ask } = serverWith(newer);
    for (const item of [NOTE, newer]) {
      const error = await saveText({ item, base: BASE, text: MINE }, ask).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TextConflict);
      expect((error as TextConflict).newer).toEqual(newer);
    }
    expect(bodies).toHaveLength(1);
  });
});

test('signing out deletes drafts and unsent messages of the user, and only theirs', () => {
  const { localStorage } = globalThis;
  const stored: Record<string, string> = {};
  const others = ['hub.draft.usr_2.a', 'hub.theme'];
  for (const name of ['hub.draft.usr_1.a', 'hub.outbox.usr_1.b', ...others]) stored[name] = 'x';
  const methods = { setItem: () => {}, removeItem: (name: string) => delete stored[name] };
  Object.assign(globalThis, {
    localStorage: new Proxy(stored, { get: (_, name) => Reflect.get(methods, name) ?? Reflect.get(stored, name) }),
  });
  deleteUnsaved('usr_1');
  Object.assign(globalThis, { localStorage });
  expect(Object.keys(stored)).toEqual(others);
});

test('an event drops the message that is being sent, never one with the same text that still waits', async () => {
  isOnline.value = true;
  let takeEvent = (_event: EventFrame): void => {};
  const sending = Promise.withResolvers<void>();
  const outbox = new Outbox({
    me: signal({ id: 'usr_1' }),
    hubs: { connection: signal({ status: 'live' }), onEvent: (listener: typeof takeEvent) => (takeEvent = listener) },
    items: {
      applyResponseOf: () => {
        sending.resolve();
        return new Promise(() => {});
      },
    },
  } as unknown as Workspace);
  const texts = () => outbox.all.value.map(({ text }) => text);
  const created = (text: string) => {
    const data = { hubId: 'hub_1', parentId: null, text, author: { id: 'usr_1' } };
    takeEvent({ event: 'message.created', data } as EventFrame);
  };
  // In the same millisecond.
  setSystemTime(new Date('2026-11-12T10:00:00Z'));
  for (const text of ['Deployed', 'ok']) void outbox.send({ hubId: 'hub_1', draftKey: 'hub_1', text });
  setSystemTime();
  await sending.promise;
  // From another device of the same user.
  created('ok');
  expect(texts()).toEqual(['Deployed', 'ok']);
  created('Deployed');
  expect(texts()).toEqual(['ok']);
});
