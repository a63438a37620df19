import { expect, test } from 'bun:test';
import { excerpt } from './excerpt.ts';

test('what is said is left, without the signs of Markdown', () => {
  expect(
    excerpt('# Restoring\n\n1. **Stop** the `server`\n2. See [the log](https://example.org/a)\n\n---\n\n> *quoted*'),
  ).toBe('Restoring Stop the server See the log quoted');
});

test('signs within words stay', () => {
  expect(excerpt('snake_case_name and 2 * 3 * 4, price_rules')).toBe('snake_case_name and 2 * 3 * 4, price_rules');
});

test('a fence and the lines of a table are no words, and what they hold is', () => {
  expect(excerpt('```sh\nhubctl backup\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |')).toBe('hubctl backup a b 1 2');
});

test('a long text ends with an ellipsis, and no character is cut', () => {
  const short = excerpt('😀'.repeat(900));
  expect([...short]).toHaveLength(401);
  expect(short.endsWith('😀…')).toBeTrue();
});

test('a hostile text takes no time', () => {
  const start = performance.now();
  for (const text of [
    '['.repeat(200_000),
    '*'.repeat(200_000),
    '`'.repeat(200_000),
    '_a'.repeat(100_000),
    ' |'.repeat(100_000),
  ])
    excerpt(text);
  expect(performance.now() - start).toBeLessThan(500);
});
