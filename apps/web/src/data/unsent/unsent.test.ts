import { describe, expect, test } from 'bun:test';
import { ApiError, NoResponse } from '../request.ts';
import { failureText, readUnsent, type Unsent } from './unsent.ts';

const failure = (statusCode: number) => new ApiError({ statusCode, message: 'Not allowed here.' }, 'req_1');

describe('failureText', () => {
  test("shows the server's message for an error response", () => {
    expect(failureText(failure(400), '', 'x')).toBe('Not allowed here.');
    expect(failureText(failure(503), '', 'x')).toBe('Not allowed here. (request req_1)');
    expect(failureText(failure(400), 'Not added. ', 'x')).toBe('Not added. Not allowed here.');
  });
  test.each([
    ['no response', new NoResponse()],
    ['a server error', failure(500)],
    ['a gateway error', failure(502)],
    ['any other error', new Error('x')],
  ])('warns after %s that the message may have been sent', (_, error) => {
    expect(failureText(error, 'Not sent. ', 'It may have been sent.')).toEndWith('It may have been sent.');
  });
});

test('reads stored messages and ignores anything else', () => {
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
