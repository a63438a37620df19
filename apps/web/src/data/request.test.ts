import { expect, spyOn, test } from 'bun:test';
import { dropEarly, takeEarly } from './early-requests.ts';
import { ApiError, errorMessage, request, requestLast } from './request.ts';

test('requestLast waits for pending requests, and holds back later ones unless it fails', async () => {
  const responses: { asked: string; response: (status: number) => void }[] = [];
  using fetched = spyOn(globalThis, 'fetch');
  fetched.mockImplementation(
    ((to: string) =>
      new Promise((resolve) => {
        responses.push({ asked: to, response: (status) => resolve(Response.json({ message: 'no' }, { status })) });
      })) as unknown as typeof fetch,
  );
  const asked = () => responses.map((each) => each.asked.replace('/api/v1', ''));
  const first = request('GET /status');
  const last = requestLast('DELETE /session');
  const behind = request('GET /me');
  expect(asked()).toEqual(['/status']);
  responses[0]?.response(200);
  await first;
  while (responses.length < 2) await new Promise(setImmediate);
  expect(asked()).toEqual(['/status', '/session']);
  responses[1]?.response(503);
  await expect(last).rejects.toThrow('no');
  while (responses.length < 3) await new Promise(setImmediate);
  expect(asked()).toEqual(['/status', '/session', '/me']);
  responses[2]?.response(200);
  await behind;
});

test('errorMessage is empty for 401, and includes the request ID for 500', () => {
  const error = (statusCode: number) => new ApiError({ statusCode, message: 'Sign in again.' }, 'req_1');
  expect(errorMessage(error(401))).toBe('');
  expect(errorMessage(error(403))).toBe('Sign in again.');
  expect(errorMessage(error(500))).toBe('Sign in again. (request req_1)');
});

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
