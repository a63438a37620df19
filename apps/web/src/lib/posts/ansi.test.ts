import { expect, test } from 'bun:test';
import { coloredRuns } from './ansi.ts';

const [red, green, yellow, blue] = [25, 150, 85, 255];

test.each<[codes: string, style: object]>([
  ['31', { hue: red }],
  ['1;32', { hue: green, isBold: true }],
  ['94', { hue: blue }],
  ['90', { isGrey: true }],
  ['2', { isGrey: true }],
  ['37', {}],
  ['43;30', { ground: yellow }],
  ['41;49', {}],
  ['38;5;196', { hue: red }],
  ['38:5:46', { hue: green }],
  ['38;5;208', { hue: 49 }],
  ['48;5;21', { ground: blue }],
  ['38;5;240', { isGrey: true }],
  ['38;5;231', {}],
  ['38;2;255;0;0', {}],
  ['38;2;255;0;0;1', { isBold: true }],
  ['31;39', {}],
  ['31;0', {}],
  ['', {}],
  ['999', {}],
])('%p looks like %p', (codes, style) => {
  const plain = { hue: null, ground: null, isGrey: false, isBold: false };
  const run = (text: string, style = {}) => ({ text, ...plain, ...style });
  expect(coloredRuns(`a\x1b[${codes}mb\x1b[0mc`)).toEqual([run('a'), run('b', style), run('c')]);
});
