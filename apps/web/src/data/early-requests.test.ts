import { expect, test } from 'bun:test';
import { dropEarly, takeEarly } from './early-requests.ts';

test('responses that nobody takes are canceled, so that they do not stay open; those taken are not', async () => {
  const canceled: string[] = [];
  const response = (name: string) =>
    Promise.resolve(new Response(new ReadableStream({ cancel: () => void canceled.push(name) })));
  globalThis.earlyResponses = { '/taken': response('taken'), '/left': response('left'), '/failed': Promise.reject() };
  const taken = takeEarly('/taken');
  dropEarly();
  await taken;
  await Promise.resolve();
  expect(canceled).toEqual(['left']);
  expect(takeEarly('/left')).toBeUndefined();
});
