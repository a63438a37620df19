import { expect, test } from 'bun:test';
import { labelledError, textProblem } from './text-problem.ts';

test('says with the label of the field how much too long a text is, in code points and without spaces around it', () => {
  const tooLong = 'The name can have at most 64 characters; this one has 300.';
  expect(textProblem('Name', 'x'.repeat(300), { maxLength: 64 })).toBe(tooLong);
  expect(textProblem('Hub name', 'x'.repeat(65), { maxLength: 64 })).toStartWith('The Hub name can have');
  expect(textProblem('Name', ` ${'🚀'.repeat(64)} `, { maxLength: 64 })).toBe('');
  expect(textProblem('Name', 'x'.repeat(300), {})).toBe('');
});

test('puts the label of the field in place of its name in the API', () => {
  expect(labelledError('Bot name', 'botName cannot contain invisible characters: remove U+200B')).toBe(
    'The bot name cannot contain invisible characters: remove U+200B.',
  );
  for (const error of ['', 'Enter a name.', 'Can’t reach the server. It must be down.']) {
    expect(labelledError('Name', error)).toBe(error);
  }
});
