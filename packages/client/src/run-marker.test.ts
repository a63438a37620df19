import { afterAll, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract/limits';
import { failureOf } from '@hub/testkit/concurrency';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { TEST_KEY } from '../test/timed-client.ts';
import { HubClient, HubUsageError, type PostOptions, withRunMarker } from './index.ts';

describe('withRunMarker', () => {
  test.each([
    ['Deployed.', 'Deployed.\n\n`run:build-4711`'],
    ['Deployed.\n\n', 'Deployed.\n\n`run:build-4711`'],
    ['', '`run:build-4711`'],
    ['  \n', '`run:build-4711`'],
    ['Deployed.\n\n`run:build-4711`', 'Deployed.\n\n`run:build-4711`'],
    ['`run:build-4711`\n', '`run:build-4711`'],
    ['see `run:build-4711`', 'see `run:build-4711`\n\n`run:build-4711`'],
  ])('converts %p to %p', (text, marked) => {
    expect(withRunMarker(text, 'build-4711')).toBe(marked);
  });

  test.each(['', ' ', 'two words', '-x', 'a`b', 'a\nb', 'ü', 'x'.repeat(101), 42, null])(
    'rejects the marker %p',
    (marker) => {
      expect(() => withRunMarker('Deployed.', marker as string)).toThrow(HubUsageError);
    },
  );
});

const server = startScriptedServer();
afterAll(() => server.stop());
const hub = new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false });
const lastBody = () => JSON.parse(server.requests.at(-1)?.body ?? '');
const marked: PostOptions = { runMarker: 'r1' };

describe('the runMarker option', () => {
  test('adds the marker to the text of a message and the content of a note or to-do', async () => {
    await hub.messages.create({ text: 'x' }, marked);
    expect(lastBody()).toEqual({ text: 'x\n\n`run:r1`' });
    await hub.notes.create({ title: 't', content: 'x' }, marked);
    expect(lastBody()).toEqual({ title: 't', content: 'x\n\n`run:r1`' });
    await hub.todos.create({ title: 't', content: 'x' }, marked);
    expect(lastBody()).toEqual({ title: 't', content: 'x\n\n`run:r1`' });
    await hub.todos.create({ title: 't', content: null }, marked);
    expect(lastBody()).toEqual({ title: 't', content: '`run:r1`' });
  });

  test("adds a last paragraph to the blocks if there are any, without changing the caller's array", async () => {
    const blocks = [{ type: 'delimiter', data: {} }];
    await hub.messages.create({ text: 'plain', blocks }, marked);
    const paragraph = { type: 'paragraph', data: { text: '<code>run:r1</code>' } };
    expect(lastBody()).toEqual({ text: 'plain', blocks: [...blocks, paragraph] });
    expect(blocks).toHaveLength(1);
  });

  test('rejects an item before sending if the marker takes it over a limit, counted in code points', async () => {
    const markerCodePoints = '\n\n`run:r1`'.length;
    const fits = '😀'.repeat(LIMITS.messageTextCodePoints - markerCodePoints);
    await hub.messages.create({ text: fits }, marked);
    const requests = server.requests.length;
    const long = { type: 'paragraph', data: { text: 'ü'.repeat(LIMITS.blocksBytes / 2 - 25) } };
    const tooLong = [
      hub.messages.create({ text: `${fits}x` }, marked),
      hub.notes.create({ content: 'x'.repeat(LIMITS.noteContentCodePoints) }, marked),
      hub.todos.create({ title: 't', content: 'x'.repeat(LIMITS.todoContentCodePoints) }, marked),
      hub.messages.create({ blocks: Array(LIMITS.blocks).fill({ type: 'delimiter', data: {} }) }, marked),
      hub.messages.create({ blocks: [long] }, marked),
    ];
    const errors = await Promise.all(tooLong.map(failureOf));
    for (const error of errors) expect(error).toBeInstanceOf(HubUsageError);
    expect(errors.map(String).join('\n')).toMatchInlineSnapshot(`
      "HubUsageError: With the run marker, text would have 40001 characters; the limit is 40000.
      HubUsageError: With the run marker, content would have 200010 characters; the limit is 200000.
      HubUsageError: With the run marker, content would have 40010 characters; the limit is 40000.
      HubUsageError: With the run marker, there would be 101 blocks; the limit is 100.
      HubUsageError: With the run marker, blocks would have 262194 bytes as JSON; the limit is 262144."
    `);
    expect(server.requests).toHaveLength(requests);
  });
});
