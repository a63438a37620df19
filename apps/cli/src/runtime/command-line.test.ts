import { describe, expect, test } from 'bun:test';
import { formToken, KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { buildProgram } from '../program.ts';
import { Cli } from './cli.ts';
import { expandPost, hasFlag, rejectSecretArguments } from './command-line.ts';
import type { Deps } from './deps.ts';

const sink = { isTTY: false, columns: undefined, write: () => {} };
const program = buildProgram(
  new Cli({ version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps, { json: false, color: false }),
);
const expand = (...argv: string[]) => expandPost(argv, program);

describe('hubctl post TEXT', () => {
  test('is short for post message TEXT', () => {
    expect(expand('post', 'Hello')).toEqual(['post', 'message', 'Hello']);
    expect(expand('post')).toEqual(['post', 'message']);
  });

  test('leaves the kinds alone: they are always subcommands', () => {
    expect(expand('post', 'note', 'x')).toEqual(['post', 'note', 'x']);
    expect(expand('post', 'message')).toEqual(['post', 'message']);
  });

  test('finds the kind behind options and their values', () => {
    expect(expand('post', '--url', 'http://h', '--wait', 'todo', 'x')).toEqual([
      'post',
      'todo',
      '--url',
      'http://h',
      '--wait',
      'x',
    ]);
    expect(expand('--data-dir', 'post', '--json', 'post', '-f', 'note', 'x')).toEqual([
      '--data-dir',
      'post',
      '--json',
      'post',
      'message',
      '-f',
      'note',
      'x',
    ]);
  });

  test('takes every word after -- for text', () => {
    expect(expand('post', '--', 'message')).toEqual(['post', 'message', '--', 'message']);
    expect(expand('post', '--', 'help')).toEqual(['post', 'message', '--', 'help']);
    expect(expand('post', 'note', '--', '--help')).toEqual(['post', 'note', '--', '--help']);
  });

  test('asks back for the word help, which would be neither posted nor answered by surprise', () => {
    expect(() => expand('post', 'help')).toThrow('could be a text or a question');
  });

  test('shows the help of post itself if there is no text', () => {
    expect(expand('post', '--help')).toEqual(['post', '--help']);
    expect(expand('post', 'x', '--help')).toEqual(['post', 'message', 'x', '--help']);
  });

  test('changes no other command', () => {
    expect(expand('hubs', 'create', 'post')).toEqual(['hubs', 'create', 'post']);
  });
});

describe('a secret among the arguments', () => {
  const key = formToken(KEY_PREFIX, 'aB3'.repeat(12).slice(0, 34));
  const token = formToken(PERSONAL_TOKEN_PREFIX, 'xY9'.repeat(12).slice(0, 34));
  const mistyped = `${KEY_PREFIX}9aK3mPq7Rt5vWx2Yz8Bc4Df6Gh1Jk0Ln3Mp5Qr7S`;

  for (const [what, argv] of Object.entries({
    'a key': ['post', key],
    'a personal token': ['post', token],
    'a link': ['post', `https://h/join#${formToken(LINK_PREFIX, 'xY9'.repeat(12).slice(0, 34))}`],
    'a key behind =': ['post', `--key=${key}`],
    'a key within a text': ['post', `the key is ${key}, keep it`],
    'a key behind --': ['post', '--', key],
    'a mistyped key': ['post', mistyped],
    'a key cut short': ['post', mistyped.slice(0, 40)],
  })) {
    test(`is refused: ${what}`, () => {
      expect(() => rejectSecretArguments(argv)).toThrow(/^There is a (key|secret) among the arguments/);
    });
  }

  test('is not seen where there is none: hints, ids, placeholders, prose', () => {
    rejectSecretArguments([
      'hub_live_…4kQz',
      'key_01KA3T8Q6V5M0G7ZB4W2N9RXEC',
      'hub_live_xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ]);
    rejectSecretArguments(['Keys begin with hub_live_ and tokens with hub_pat_', 'hub_live_YOUR_KEY_HERE']);
  });
});

test('hasFlag looks no further than --', () => {
  expect(hasFlag(['post', '--json', '--', 'x'], '--json')).toBe(true);
  expect(hasFlag(['post', '--', '--json'], '--json')).toBe(false);
});
