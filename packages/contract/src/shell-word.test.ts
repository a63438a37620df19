import { expect, test } from 'bun:test';
import { shellWord } from './shell-word.ts';

test('quotes text that a shell would not read as one word', () => {
  expect(shellWord('ada@example.org')).toBe('ada@example.org');
  expect(shellWord('Team room')).toBe("'Team room'");
  expect(shellWord("Ada's $(rm)")).toBe("'Ada'\\''s $(rm)'");
  expect(shellWord('')).toBe("''");
});
