import { expect, spyOn, test } from 'bun:test';
import { ApiError, errorMessage, path, request, requestLast } from './request.ts';

test('a path parameter stays one segment of the path, whatever it contains', () => {
  for (const part of ['msg_1', '..', '.', '../..', '/', '%2e%2e', 'a?b#c', 'Ünïcode 👍', '']) {
    const { pathname, search, hash } = new URL(path`/items/${part}/origin`, 'http://hub.example/api/v1/');
    expect([part, pathname.split('/').length, search, hash]).toEqual([part, 4, '', '']);
    expect([part, pathname.startsWith('/items/') && pathname.endsWith('/origin')]).toEqual([part, true]);
  }
});

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
  const first = request('GET', '/first');
  const last = requestLast('DELETE', '/session');
  const behind = request('GET', '/behind');
  expect(asked()).toEqual(['/first']);
  responses[0]?.response(200);
  await first;
  while (responses.length < 2) await new Promise(setImmediate);
  expect(asked()).toEqual(['/first', '/session']);
  responses[1]?.response(503);
  await expect(last).rejects.toThrow('no');
  while (responses.length < 3) await new Promise(setImmediate);
  expect(asked()).toEqual(['/first', '/session', '/behind']);
  responses[2]?.response(200);
  await behind;
});

test('errorMessage is empty for 401, and includes the request ID for 500', () => {
  const error = (statusCode: number) => new ApiError({ statusCode, message: 'Sign in again.' }, 'req_1');
  expect(errorMessage(error(401))).toBe('');
  expect(errorMessage(error(403))).toBe('Sign in again.');
  expect(errorMessage(error(500))).toBe('Sign in again. (request req_1)');
});
