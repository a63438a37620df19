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

describe('a text names', () => {
  const cases: [string, string, string[]][] = [
    ['somebody by the whole name', 'Thanks @Ada Lovelace!', ['ada']],
    ['somebody by the first word', 'Thanks @Ada, well done', ['ada']],
    ['somebody in any case', '@ADA LOVELACE @josé', ['ada', 'jose']],
    ['somebody across a line break', '@Ada\nLovelace', ['ada']],
    ['somebody spelled with combining marks', '@Jose\u0301', ['jose']],
    ['the longest name that fits', '@Anna Bauer', ['anna-b']],
    ['the one whose whole name it is, not who shares the first word', '@Anna is here', ['anna']],
    ['a name with a hyphen', '@anna-maria', ['anna-maria']],
    ['a name with signs', 'ask @O’Neil (ops).', ['tick']],
    ['several at once', '@Ada @Grace Hopper', ['ada', 'grace']],
    ['somebody within Markdown', '**@Ada** _@José_ (@Anna) "@grace kelly"', ['ada', 'anna', 'grace-k', 'jose']],
    ['somebody at the start of a line of a list', '- @Ada\n> @José', ['ada', 'jose']],
  ];
  test.each(cases)('%s', (_, text, ids) => expect(found(text)).toEqual(ids));
});

describe('a text names nobody', () => {
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

test('backticks that find no end are text', () => {
  expect(found('` @Ada')).toEqual(['ada']);
  expect(found('`` @Ada `')).toEqual(['ada']);
  expect(found('`x` @Ada `y`')).toEqual(['ada']);
  expect(found('```\ncode\n```\n@Ada')).toEqual(['ada']);
  expect(found('``` a ``` @Ada')).toEqual(['ada']);
});

test('blocks name whom their text names, but not in code', () => {
  const blocks = (...all: [string, Record<string, unknown>][]): string =>
    readableBlocks(all.map(([type, data]) => ({ type, data }) as Block));
  const named = (text: string) => [...findMentions([text], users)].sort();
  expect(named(blocks(['paragraph', { text: 'Hi <b>@Ada</b>&nbsp;Lovelace' }]))).toEqual(['ada']);
  expect(named(blocks(['list', { style: 'unordered', items: [{ content: '@José', items: [] }] }]))).toEqual(['jose']);
  expect(named(blocks(['code', { code: '@Ada' }]))).toEqual([]);
  expect(named(blocks(['paragraph', { text: '<code class="inline-code">@Ada</code> @José' }]))).toEqual(['jose']);
  expect(named(blocks(['paragraph', { text: '<CODE>@Ada <code>@Ada</code> @Ada</CODE>' }]))).toEqual([]);
});

test('a text names nobody any more behind a thousand signs', () => {
  expect(found(`${'@nobody '.repeat(999)}@Ada`)).toEqual(['ada']);
  expect(found(`${'@nobody '.repeat(1_000)}@Ada`)).toEqual([]);
});

test('a name that two have names neither of them, until one is given another', () => {
  const twins = [
    { id: 'one', name: 'Sam Fox' },
    { id: 'two', name: 'sam fox' },
  ];
  expect([...findMentions(['@Sam Fox @Sam'], twins)]).toEqual([]);
  expect([...findMentions(['@Sam Fox'], [...twins.slice(1), { id: 'one', name: 'Sam Fox (ops)' }])]).toEqual(['two']);
});

test('a text that was made to be slow is read as fast as any other', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ id: `p${n}`, name: `Ada ${n}` }));
  const start = performance.now();
  for (const text of [' @ada', '@', '`', '`` ` ', '_@', '~~~\n', '<code>', '<code']) {
    findMentions([text.repeat(200_000 / text.length)], many);
    readableBlocks([{ type: 'paragraph', data: { text: text.repeat(200_000 / text.length) } } as Block]);
  }
  expect(performance.now() - start).toBeLessThan(3_000);
});
