import { expect, test } from 'bun:test';
import { nameDivider } from './mentioned-names.ts';

const members = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'jose', name: 'José' },
  { id: 'li', name: '李雷' },
];
const divided = (text: string, mentions = ['ada', 'jose', 'li']) => nameDivider(mentions, members)?.(text);

test('divides a text at the mentioned names and keeps all of it', () => {
  expect(divided('a @Ada b @Nobody 请@李雷看 @Jose\u0301')).toEqual([
    { text: 'a ' },
    { text: '@Ada', userIds: ['ada'] },
    { text: ' b @Nobody 请' },
    { text: '@李雷', userIds: ['li'] },
    { text: '看 ' },
    { text: '@José', userIds: ['jose'] },
  ]);
});

test('finds only the users that the server lists as mentioned', () => {
  expect(divided('@Ada @José', ['jose'])).toEqual([{ text: '@Ada ' }, { text: '@José', userIds: ['jose'] }]);
  expect(divided('@Ada', [])).toBeUndefined();
  expect(nameDivider(['gone'], members)).toBeNull();
});
