import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOML } from 'bun';
import { BASE62, buildToken, KEY_PREFIX, LINK_PREFIX } from '../../packages/contract/src/index.ts';
import { PERSONAL_TOKEN_PREFIX, RANDOM_CHARACTERS, SESSION_PREFIX } from '../../packages/contract/src/key-token.ts';
import { repositoryFiles } from './repository-files.ts';

const ROOT = join(import.meta.dir, '../..');
const CONFIGURATION = readFileSync(join(ROOT, 'ops/gitleaks/hub.toml'), 'utf8');
/** Placeholders such as hub_live_xxxx… have few different characters. gitleaks compares their entropy instead. */
const MIN_DIFFERENT = 20;

interface Rule {
  readonly id: string;
  readonly regex: string;
  readonly allowlists?: readonly { readonly regexes: readonly string[] }[];
}

const rules = (TOML.parse(CONFIGURATION) as { rules: Rule[] }).rules.map(({ id, regex, allowlists = [] }) => ({
  id,
  pattern: new RegExp(regex, 'g'),
  allowed: allowlists.flatMap(({ regexes }) => regexes.map((allowed) => new RegExp(allowed))),
}));

/** Returns the rule and the secret of each match. */
const scan = (text: string) =>
  rules.flatMap(({ id, pattern, allowed }) =>
    [...text.matchAll(pattern)].flatMap(([whole, secret = '']) => {
      const isSecret = new Set(secret).size >= MIN_DIFFERENT && !allowed.some((each) => each.test(whole));
      return isSecret ? [{ rule: id, secret }] : [];
    }),
  );

const RULES: [prefix: string, rule: string][] = [
  [KEY_PREFIX, 'hub-api-key'],
  [PERSONAL_TOKEN_PREFIX, 'hub-personal-token'],
  [SESSION_PREFIX, 'hub-session'],
  [LINK_PREFIX, 'hub-link'],
];

const randomToken = (prefix: string): string => {
  const bytes = [...crypto.getRandomValues(new Uint8Array(RANDOM_CHARACTERS))];
  return buildToken(prefix, bytes.map((byte) => BASE62.charAt(byte % BASE62.length)).join(''));
};

describe.each(RULES)('the secret scan, for secrets that start with %s,', (prefix, rule) => {
  test('detects each with exactly one rule, also in variables, JSON, headers, URLs and shell commands', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const secret = randomToken(prefix);
      expect(scan(secret)).toEqual([{ rule, secret }]);
    }
    for (const text of [
      ...['HUB_API_KEY=X', '{"key":"X"}', 'Authorization: Bearer X\r\n', 'https://hub.example.org/join#X'],
      ...["  key: 'X' # production", 'curl -H "Authorization: Bearer X" https://hub.example.org'],
      'export A=1;export KEY=X;b',
    ]) {
      const secret = randomToken(prefix);
      expect(scan(text.replace('X', secret))).toEqual([{ rule, secret }]);
    }
  });

  test('ignores placeholders and malformed secrets', () => {
    const secret = randomToken(prefix);
    const rest = secret.slice(prefix.length);
    for (const text of [
      ...[prefix, `${prefix}…`, secret.slice(0, -1), `${secret}x`, `x${secret}`, prefix + 'x'.repeat(40)],
      ...[`${prefix}YOUR_KEY_HERE`, secret.replace('hub_', 'hub-'), rest, `hub_${rest}`],
    ]) {
      expect([text, scan(text)]).toEqual([text, []]);
    }
  });
});

test('this repository contains no secrets', () => {
  const found = repositoryFiles(ROOT).flatMap((path) =>
    scan(readFileSync(join(ROOT, path), 'utf8')).map(({ rule }) => `${path}: ${rule}`),
  );
  expect(found).toEqual([]);
});

test('the rules use no lookarounds or backreferences, which RE2, the regex engine of gitleaks, does not support', () => {
  expect(CONFIGURATION.match(/regex = '''.+'''/g)).toHaveLength(RULES.length);
  expect(CONFIGURATION).not.toMatch(/\(\?[=!<]|\\[1-9]/);
});
