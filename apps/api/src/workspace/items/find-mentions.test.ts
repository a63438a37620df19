import { describe, expect, test } from 'bun:test';
import type { Block } from '@hub/contract';
import { findMentions, readableBlocks } from './find-mentions.ts';

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'jose', name: 'José' },
  { id: 'li', name: '李雷' },
];
const found = (text: string) => [...findMentions([text], users)].sort();

test('several strings mention users, with either sign', () => {
  expect([...findMentions(['請@李雷看', '＠Ada'], users)]).toEqual(['li', 'ada']);
});

describe('text mentions no one', () => {
  const cases: [string, string][] = [
    ['in code', '`@Ada` ``x ` @Ada`` \n```\n@Ada\n```\n~~~ sh\n@Ada\n~~~'],
    ['in a fence that does not end', '```\n@Ada'],
    ['in a fence within a fence', '````\n```\n@Ada\n````'],
  ];
  test.each(cases)('%s', (_, text) => expect(found(text)).toEqual([]));
});

test('unclosed backticks are text', () => {
  expect(found('` @Ada')).toEqual(['ada']);
  expect(found('`` @Ada `')).toEqual(['ada']);
  expect(found('`x` @Ada `y`')).toEqual(['ada']);
  expect(found('```\ncode\n```\n@Ada')).toEqual(['ada']);
  expect(found('``` a ``` @Ada')).toEqual(['ada']);
});

test('blocks mention users by their text, but not in code', () => {
  const blocks = (...all: [string, Record<string, unknown>][]): string =>
    readableBlocks(all.map(([type, data]) => ({ type, data }) as Block));
  const named = (text: string) => [...findMentions([text], users)].sort();
  expect(named(blocks(['paragraph', { text: 'Hi <b>@Ada</b>&nbsp;Lovelace' }]))).toEqual(['ada']);
  expect(named(blocks(['list', { style: 'unordered', items: [{ content: '@José', items: [] }] }]))).toEqual(['jose']);
  expect(named(blocks(['code', { code: '@Ada' }]))).toEqual([]);
  expect(named(blocks(['paragraph', { text: '<code class="inline-code">@Ada</code> @José' }]))).toEqual(['jose']);
  expect(named(blocks(['paragraph', { text: '<CODE>@Ada <code>@Ada</code> @Ada</CODE>' }]))).toEqual([]);
});

test('text crafted to be slow is still parsed quickly', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ id: `p${n}`, name: `Ada ${n}` }));
  const start = process.threadCpuUsage();
  for (const text of [' @ada', '@', '`', '`` ` ', '_@', '~~~\n', '<code>', '<code']) {
    findMentions([text.repeat(200_000 / text.length)], many);
    readableBlocks([{ type: 'paragraph', data: { text: text.repeat(200_000 / text.length) } } as Block]);
  }
  findMentions([`@ada${'\u0301\u0323'.repeat(100_000)}`], many);
  expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
});
