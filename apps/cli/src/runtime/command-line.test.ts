import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import { buildProgram } from '../program.ts';
import { Cli } from './cli.ts';
import { expandHelp, expandPost, rejectSecretArguments } from './command-line.ts';
import type { Deps } from './deps.ts';

const sink = { isTTY: false, columns: undefined, write: () => {} };
const program = buildProgram(
  new Cli({ version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps, { json: false, color: false }),
);

describe('hubctl post TEXT', () => {
  test.each([
    ['post Hello', 'post message Hello'],
    ['post', 'post message'],
    // The names of kinds are always subcommands, also after options and their values.
    ['post note x', 'post note x'],
    ['post message', 'post message'],
    ['post --url http://h --wait todo x', 'post todo --url http://h --wait x'],
    ['--data-dir post --json post -f note x', '--data-dir post --json post message -f note x'],
    // Everything after -- is text.
    ['post -- message', 'post message -- message'],
    ['post -- help', 'post message -- help'],
    ['post note -- --help', 'post note -- --help'],
    // No text is taken for the value of --truncate.
    ['post --truncate Hello', 'post message --truncate=head Hello'],
    ['post Hello --truncate', 'post message Hello --truncate=head'],
    ['post --truncate tail Hello', 'post message --truncate=tail Hello'],
    ['post note --truncate=tail x', 'post note --truncate=tail x'],
    ['post --truncate -- tail', 'post message --truncate=head -- tail'],
    ['post -- --truncate tail', 'post message -- --truncate tail'],
  ])('%s means %s', (typed, meant) => {
    expect(expandPost(typed.split(' '), program)).toEqual(meant.split(' '));
  });
});

describe('aliases', () => {
  test.each([
    ['keys create --name ls', 'keys issue --name ls'],
    ['keys new', 'keys issue'],
    ['keys rm ls', 'keys revoke ls'],
    ['keys delete x', 'keys revoke x'],
    ['keys remove x', 'keys revoke x'],
    ['--profile keys keys ls', '--profile keys keys list'],
    ['hubs members rm Releases ada', 'hubs members remove Releases ada'],
    ['hubs rm Releases', 'hubs delete Releases'],
    ['help keys create', 'keys issue --help'],
    ['profiles ls', 'profiles list'],
    ['tokens delete x', 'tokens revoke x'],
    ['outbox ls', 'outbox list'],
    // Disabling is less than what these words mean.
    ['users rm ada', 'users rm ada'],
    ['hubs -- ls', 'hubs -- ls'],
  ])('%s means %s', (typed, meant) => {
    expect(expandHelp(typed.split(' '), program)).toEqual(meant.split(' '));
  });
});

describe('rejectSecretArguments', () => {
  const key = buildToken(KEY_PREFIX, 'aB3'.repeat(12).slice(0, 34));
  const token = buildToken(PERSONAL_TOKEN_PREFIX, 'xY9'.repeat(12).slice(0, 34));
  const mistyped = `${KEY_PREFIX}9aK3mPq7Rt5vWx2Yz8Bc4Df6Gh1Jk0Ln3Mp5Qr7S`;

  for (const [what, argv] of Object.entries({
    'a key': ['post', key],
    'a personal access token': ['post', token],
    'a link': ['post', `https://h/join#${buildToken(LINK_PREFIX, 'xY9'.repeat(12).slice(0, 34))}`],
    'a key after =': ['post', `--key=${key}`],
    'a key within text': ['post', `the key is ${key}, keep it`],
    'a key after --': ['post', '--', key],
    'a mistyped key': ['post', mistyped],
    'a truncated key': ['post', mistyped.slice(0, 40)],
  })) {
    test(`rejects ${what}`, () => {
      expect(() => rejectSecretArguments(argv)).toThrow(/^The arguments contain a (key|secret)/);
    });
  }

  test('accepts hints, IDs, placeholders and prose', () => {
    rejectSecretArguments([
      'hub_live_…4kQz',
      'key_01KA3T8Q6V5M0G7ZB4W2N9RXEC',
      'hub_live_xxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ]);
    rejectSecretArguments(['Keys begin with hub_live_ and tokens with hub_pat_', 'hub_live_YOUR_KEY_HERE']);
  });
});
