import { describe, expect, test } from 'bun:test';
import type { Block } from '@hub/contract';
import { findMentions, readableBlocks } from './find-mentions.ts';

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'grace', name: 'Grace Hopper' },
  { id: 'grace-k', name: 'Grace Kelly' },
  { id: 'jose', name: 'José' },
  { id: 'anna', name: 'Anna' },
  { id: 'anna-b', name: 'Anna Bauer' },
  { id: 'anna-maria', name: 'Anna-Maria Ott' },
  { id: 'tick', name: 'O’Neil (ops)' },
];
const found = (text: string) => [...findMentions([text], users)].sort();

describe('text mentions', () => {
  const cases: [string, string, string[]][] = [
    ['a user by full name', 'Thanks @Ada Lovelace!', ['ada']],
    ['a user by first name', 'Thanks @Ada, well done', ['ada']],
    ['users in any letter case', '@ADA LOVELACE @josé', ['ada', 'jose']],
    ['a user across a line break', '@Ada\nLovelace', ['ada']],
    ['a user spelled with combining marks', '@Jose\u0301', ['jose']],
    ['the longest matching name', '@Anna Bauer', ['anna-b']],
    ['the user with that full name, not one who shares the first name', '@Anna is here', ['anna']],
    ['a name with a hyphen', '@anna-maria', ['anna-maria']],
    ['a name with punctuation', 'ask @O’Neil (ops).', ['tick']],
    ['several users', '@Ada @Grace Hopper', ['ada', 'grace']],
    ['users within Markdown', '**@Ada** _@José_ (@Anna) "@grace kelly"', ['ada', 'anna', 'grace-k', 'jose']],
    ['users at the start of list items and quotes', '- @Ada\n> @José', ['ada', 'jose']],
  ];
  test.each(cases)('%s', (_, text, ids) => expect(found(text)).toEqual(ids));
});

describe('text mentions no one', () => {
  const cases: [string, string][] = [
    ['by a first word that two have', '@Grace'],
    ['by an address', 'ada@example.org, x@Ada, me.@ada'],
    ['by a name of another server', '@ada@example.org'],
    ['by a link', 'https://example.org/@ada ?q=@ada'],
    ['by a longer word', '@Adam @Ada_x @Adaé @Ada1'],
    ['by a name without its sign', 'Ada Lovelace'],
    ['by a sign without its name', '@ @@ @'],
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

test('mentions after the first thousand @ signs are ignored', () => {
  expect(found(`${'@nobody '.repeat(999)}@Ada`)).toEqual(['ada']);
  expect(found(`${'@nobody '.repeat(1_000)}@Ada`)).toEqual([]);
});

test('a name that two users share mentions neither, until one is renamed', () => {
  const namesakes = [
    { id: 'one', name: 'Sam Fox' },
    { id: 'two', name: 'sam fox' },
  ];
  expect([...findMentions(['@Sam Fox @Sam'], namesakes)]).toEqual([]);
  expect([...findMentions(['@Sam Fox'], [...namesakes.slice(1), { id: 'one', name: 'Sam Fox (ops)' }])]).toEqual([
    'two',
  ]);
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
