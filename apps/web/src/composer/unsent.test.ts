import { describe, expect, test } from 'bun:test';
import { ApiError, NoAnswer } from '../api/request.ts';
import { failureWords, readUnsent, type Unsent } from './unsent.ts';

const refusal = (statusCode: number) => new ApiError({ statusCode, message: 'Words of the server.' }, 'req_1');

describe('why it was not sent', () => {
  test('a refusal is certain, and said in the words of the server', () => {
    expect(failureWords(refusal(400), true)).toBe('Words of the server.');
    expect(failureWords(refusal(503), true)).toBe('Words of the server. (request req_1)');
  });
  test('whoever is offline has sent nothing', () => {
    expect(failureWords(new NoAnswer('x'), false)).toBe('You are offline. It is kept here until you send it.');
  });
  test.each([
    ['no answer', new NoAnswer('x')],
    ['a fault of the server', refusal(500)],
    ['a fault on the way', refusal(502)],
    ['whatever else', new Error('x')],
  ])('after %s it may have arrived, which is said', (_, error) => {
    expect(failureWords(error, true)).toEndWith('It may have arrived all the same: look before you send it again.');
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
    words: '',
  };
  expect(readUnsent(JSON.stringify(unsent))).toEqual(unsent);
  for (const other of [null, '', '{', 'null', '[]', '{"id":"a"}', JSON.stringify({ ...unsent, state: 'x' })]) {
    expect(readUnsent(other)).toBeNull();
  }
});
