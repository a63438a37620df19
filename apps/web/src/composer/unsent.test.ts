import { describe, expect, test } from 'bun:test';
import { ApiError, NoResponse } from '../api/request.ts';
import { failureText, readUnsent, type Unsent } from './unsent.ts';

const failure = (statusCode: number) => new ApiError({ statusCode, message: 'Words of the server.' }, 'req_1');

describe('why it was not sent', () => {
  test('a refusal is certain, and said in the words of the server', () => {
    expect(failureText(failure(400))).toBe('Words of the server.');
    expect(failureText(failure(503))).toBe('Words of the server. (request req_1)');
  });
  test.each([
    ['no answer', new NoResponse('x')],
    ['a fault of the server', failure(500)],
    ['a fault on the way', failure(502)],
    ['whatever else', new Error('x')],
  ])('after %s it may have arrived, which is said', (_, error) => {
    expect(failureText(error)).toEndWith('It may have been sent: check before resending.');
  });
});

test('what was kept is read, and what is no message is left alone', () => {
  const unsent: Unsent = {
    id: 'a',
    hubId: 'h',
    draftKey: 'h',
    text: 't',
    at: '2026-03-01T09:30:00.000Z',
    tab: 'x',
    state: 'failed',
    failure: '',
  };
  for (const state of ['waiting', 'sending', 'failed'] as const) {
    expect(readUnsent(JSON.stringify({ ...unsent, state }))).toEqual({ ...unsent, state });
  }
  for (const other of [null, '', '{', 'null', '[]', '{"id":"a"}', JSON.stringify({ ...unsent, state: 'x' })]) {
    expect(readUnsent(other)).toBeNull();
  }
});

test('reads the failure of a message that an earlier version stored', () => {
  const stored = {
    id: 'a',
    hubId: 'h',
    draftKey: 'h',
    text: 't',
    at: '',
    tab: 'x',
    state: 'failed',
    words: 'No response.',
  };
  expect(readUnsent(JSON.stringify(stored))).toMatchObject({ text: 't', failure: 'No response.' });
});
