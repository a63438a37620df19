import { expect, test } from 'bun:test';
import { nameFinder } from './find-names.ts';

const users = [
  ['ada', 'Ada Lovelace'],
  ['grace', 'Grace Hopper'],
  ['grace-k', 'Grace Kelly'],
  ['jose', 'José'],
  ['anna', 'Anna'],
  ['anna-b', 'Anna Bauer'],
  ['anna-maria', 'Anna-Maria Ott'],
  ['tick', 'O’Neil (ops)'],
  ['tanaka', '田中'],
  ['taro', '田中太郎'],
  ['sato', '佐藤 花子'],
  ['li', '李雷'],
  ['kim', '김철수'],
  ['som', 'สมชาย'],
  ['odos', 'ΟΔΟΣ Παπάς'],
].map(([id = '', name = '']) => ({ id, name }));
const find = nameFinder(users);
const found = (text: string): string[] =>
  find(text).map(({ start, end, userIds }) => `${userIds.join('+')}: ${text.slice(start, end)}`);

test.each([
  ['a user by full name', 'Thanks @Ada Lovelace!', ['ada: @Ada Lovelace']],
  ['a user by the first word of the name', 'Thanks @Ada, well done', ['ada: @Ada']],
  ['users in any letter case', '@ADA LOVELACE @josé @οδος', ['ada: @ADA LOVELACE', 'jose: @josé', 'odos: @οδος']],
  ['a user across a line break', '@Ada \n Lovelace', ['ada: @Ada \n Lovelace']],
  ['a user spelled with combining marks', '@Jose\u0301', ['jose: @José']],
  ['the longest matching name', '@Anna Bauer', ['anna-b: @Anna Bauer']],
  ['the user with that full name and those who share the first word', '@Anna is here', ['anna+anna-b: @Anna']],
  ['everyone who shares a first word', '@Grace', ['grace+grace-k: @Grace']],
  ['a name with a hyphen', '@anna-maria', ['anna-maria: @anna-maria']],
  ['a name with punctuation', 'ask @O’Neil (ops).', ['tick: @O’Neil (ops)']],
  ['several users', '@Ada @Grace Hopper', ['ada: @Ada', 'grace: @Grace Hopper']],
  ['users within Markdown', '**@Ada** _@José_ (@Anna)', ['ada: @Ada', 'jose: @José', 'anna+anna-b: @Anna']],
  ['users at the start of list items and quotes', '- @Ada\n> @José', ['ada: @Ada', 'jose: @José']],
  ['a Japanese name that goes on without a space', '@田中太郎さん', ['taro: @田中太郎']],
  ['the shorter of two such names', '@田中さん', ['tanaka: @田中']],
  ['a family name', '@佐藤さん', ['sato: @佐藤']],
  ['a full-width sign', '＠田中太郎 ＠Ada', ['taro: ＠田中太郎', 'ada: ＠Ada']],
  ['a Chinese name between others', '请@李雷看一下，@田中', ['li: @李雷', 'tanaka: @田中']],
  ['two such names in a row', '@李雷@田中', ['li: @李雷', 'tanaka: @田中']],
  ['a Latin name within Japanese', 'お願い@Adaさん', ['ada: @Ada']],
  ['a Korean name with a particle', '@김철수님', ['kim: @김철수']],
  ['a Thai name within a sentence', 'ขอบคุณ@สมชายครับ', ['som: @สมชาย']],
])('finds %s', (_, text, names) => expect(found(text.normalize('NFC'))).toEqual(names));

test.each([
  ['by an address', 'a@b.org ada@example.org, x@Ada, me.@ada, x＠Ada'],
  ['by a name of another server', '@ada@example.org @李雷@example.org'],
  ['by a link', 'https://example.org/@ada ?q=@ada'],
  ['by a longer word', '@Adam @Ada_x @Adaé @Ada1'],
  ['by a name with another last letter', '@สมชายิ'],
  ['by a name without its sign', 'Ada Lovelace 田中'],
  ['by a sign without its name', '@ @@ @ ＠ @ Ada'],
])('finds no one %s', (_, text) => expect(found(text)).toEqual([]));

test('a name that several users have mentions all of them', () => {
  const namesakes = ['Sam Fox', 'sam  fox'].map((name) => ({ id: name, name }));
  expect(nameFinder(namesakes)('Hi @Sam Fox')).toMatchObject([{ userIds: ['Sam Fox', 'sam  fox'] }]);
});

test('mentions after the first thousand @ signs are ignored', () => {
  expect(found(`${'@nobody '.repeat(999)}@Ada`)).toEqual(['ada: @Ada']);
  expect(found(`${'@nobody '.repeat(1_000)}@Ada`)).toEqual([]);
});

test('text crafted to be slow is still read quickly', () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ id: `p${n}`, name: `Ada ${'a '.repeat(20)}${n}` }));
  const start = process.threadCpuUsage();
  for (const text of [' @ada', '@', '_@', 'x_', '＠田', '@ada a a a ', '@ '])
    nameFinder(many)(text.repeat(200_000 / text.length));
  expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
});
