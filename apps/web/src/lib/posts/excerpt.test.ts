import { expect, test } from 'bun:test';
import { excerpt } from './excerpt.ts';

test('keeps the text and removes the Markdown syntax', () => {
  expect(
    excerpt('# Restoring\n\n1. **Stop** the `server`\n2. See [the log](https://example.org/a)\n\n---\n\n> *quoted*'),
  ).toBe('Restoring · Stop the server · See the log · quoted');
});

test('keeps Markdown characters within words', () => {
  expect(excerpt('snake_case_name and 2 * 3 * 4, price_rules')).toBe('snake_case_name and 2 * 3 * 4, price_rules');
});

test('removes a code fence and keeps the code', () => {
  expect(excerpt('```sh\nhubctl backup\n```\nand so on')).toBe('hubctl backup · and so on');
});

test('lists the rows of a table with their cells in order', () => {
  const rows = ['| Thu 16:00 | `main` is frozen | Ines |', '| Fri 10:00 | it ships | Tomás |'];
  const table = ['| when | what | who |', '|---|:--|--:|', ...rows].join('\n');
  const words = 'Thu 16:00, main is frozen, Ines · Fri 10:00, it ships, Tomás';
  expect(excerpt(table)).toBe(words);
  expect(excerpt(`The plan:\n\n${table}\n\nThat is all.`)).toBe(`The plan: ${words} · That is all.`);
  expect(excerpt(`The plan:\n${table}`)).toBe(`The plan: ${words}`);
  expect(excerpt('when | what\n--- | ---\nThu | frozen')).toBe('Thu, frozen');
  expect(excerpt('a | b, which is no table')).toBe('a | b, which is no table');
});

test('adds no separator after a line that ends like a sentence', () => {
  expect(excerpt('# How to restore\n\nStop the\nserver.\n\nThen wait')).toBe(
    'How to restore · Stop the server. Then wait',
  );
});

test('ends a long text with an ellipsis and never splits a character', () => {
  const short = excerpt('😀'.repeat(900));
  expect([...short]).toHaveLength(401);
  expect(short.endsWith('😀…')).toBeTrue();
});

test('handles hostile text in under 500 ms', () => {
  const start = process.threadCpuUsage();
  for (const text of [
    '['.repeat(200_000),
    '*'.repeat(200_000),
    '`'.repeat(200_000),
    '_a'.repeat(100_000),
    ' |'.repeat(100_000),
  ])
    excerpt(text);
  expect(process.threadCpuUsage(start).user).toBeLessThan(500_000);
});
