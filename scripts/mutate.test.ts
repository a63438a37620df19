import { expect, test } from 'bun:test';
import { mutated, mutationsOf } from './mutate.ts';

const changesOf = (source: string): string[] => mutationsOf(source).map((mutation) => mutated(source, mutation));

test('conditions are inverted, fixed and moved by one', () => {
  expect(changesOf('const free = left <= 1 && isOpen;\n').sort()).toEqual([
    'const free = left < 1 && isOpen;\n',
    'const free = left <= 1 || isOpen;\n',
  ]);
  expect(changesOf('if (isOpen) end();\n').sort()).toEqual([
    'if (false && isOpen) end();\n',
    'if (true || isOpen) end();\n',
  ]);
});

test('statements on a line of their own are deleted', () => {
  expect(changesOf("function end() {\n  this.times.push(now);\n  throw new Error('x');\n}\n")).toEqual([
    "function end() {\n\n  throw new Error('x');\n}\n",
    'function end() {\n  this.times.push(now);\n\n}\n',
  ]);
});

test('comments, types and changes that are no valid program are left out', () => {
  expect(changesOf('// a === b\n/**\n * a && true\n */\nimport { a } from "b";\ntype A = true;\n')).toEqual([]);
  expect(changesOf('start(\n  () => {\n    end(a,\n  b);\n});\n')).toEqual([]);
});
