import { describe, expect, test } from 'bun:test';
import { CreateHubBody, CreateInvitationBody, CreateMessageBody, CreateNoteBody, CreateTodoBody } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import type { TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { AppError } from '../platform/errors.ts';
import { parseDateTime } from '../platform/time.ts';
import { readFields } from './validate.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('', ' ', '\u0085', 'LOW', 'urgent', '2026-03-01T09:30Z', '2026-02-31T09:30Z', '\0', '\ud800'),
  fc.constantFrom('a', '😀').chain((character) => fc.constantFrom(255, 256).map((count) => character.repeat(count))),
);
const values = fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: fc.jsonValue() });
const names = fc.constantFrom(
  'title',
  'content',
  'dueDate',
  'priority',
  'text',
  'blocks',
  '__proto__',
  'constructor',
  'titel',
);
/** Built as JSON.parse builds it: a name such as `__proto__` is a property like any other. */
const objects = fc
  .array(fc.tuple(names, values), { maxLength: 5 })
  .map((fields) =>
    JSON.parse(`{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`),
  );
const bodies = fc.oneof({ weight: 5, arbitrary: objects }, { weight: 1, arbitrary: fc.jsonValue() });

const schemas: [string, TObject][] = [
  ['a message', CreateMessageBody],
  ['a note', CreateNoteBody],
  ['a to-do', CreateTodoBody],
];

/** Returns the fields, or the message of the error. Anything else that is thrown fails the test. */
function read(schema: TObject, body: unknown): { fields: Record<string, unknown> } | { message: string } {
  try {
    return { fields: readFields(schema, body, { noun: 'it' }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid');
    return { message: error.message };
  }
}

/**
 * Validates with TypeBox itself, which differs from the rules in two ways: it counts UTF-16 units instead of
 * characters, and ignores formats.
 */
function problemBySchema(schema: TObject, fields: Record<string, unknown>) {
  const { format, ...dueDate } = schema.properties.dueDate ?? { format: undefined };
  const unformatted = format === undefined ? schema : { ...schema, properties: { ...schema.properties, dueDate } };
  if (format !== undefined && fields.dueDate !== undefined)
    expect(parseDateTime(String(fields.dueDate))).not.toBeNull();
  const oneUnitEach = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/[\u{10000}-\u{10ffff}]/gu, 'x') : value,
  ]);
  return Value.Errors(unformatted as TObject, Object.fromEntries(oneUnitEach)).First();
}

const isAbsent = (value: unknown): boolean => value === null || isBlank(String(value));

describe('reading the fields of a body', () => {
  for (const [noun, schema] of schemas) {
    test(`${noun}: any input is either read or rejected with a printable message`, () => {
      fc.assert(
        fc.property(bodies, (body) => {
          const result = read(schema, body);
          if ('fields' in result) return;
          expect(result.message.length).toBeLessThan(600);
          expect(result.message.isWellFormed()).toBe(true);
          expect(result.message).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
        }),
        { numRuns: 300 },
      );
    });

    test(`${noun}: the result equals the input, matches the published schema and has no blank or malformed text`, () => {
      let accepted = 0;
      fc.assert(
        fc.property(objects, (body) => {
          const result = read(schema, body);
          if (!('fields' in result)) return;
          accepted += 1;
          expect(problemBySchema(schema, result.fields)).toBeUndefined();
          for (const [name, value] of Object.entries(result.fields)) {
            expect(value).toBe(body[name]);
            expect(isBlank(String(value))).toBeFalse();
            expect(String(value)).not.toContain('\0');
            expect(String(value).isWellFormed()).toBe(true);
          }
        }),
        { numRuns: 1000 },
      );
      expect(accepted).toBeGreaterThan(0);
    });

    test(`${noun}: only fields that count as absent are missing from the result`, () => {
      fc.assert(
        fc.property(objects, (body) => {
          const result = read(schema, body);
          if (!('fields' in result)) return;
          for (const name of Object.keys(body)) {
            if (name in result.fields) continue;
            expect(isAbsent(body[name])).toBe(true);
          }
        }),
        { numRuns: 1000 },
      );
    });
  }

  test('a field type without a rule throws an internal error, not a validation error', () => {
    const schema = { ...CreateNoteBody, properties: { content: { type: 'x' } } } as unknown as TObject;
    expect(() => readFields(schema, { content: 'x' }, { noun: 'it' })).toThrow('has no rule for content');
  });

  test('text over its limit is rejected for its length before its characters are checked', () => {
    const hub = CreateHubBody;
    for (const character of ['\u200b', '\0', '\ud800', '\u{1f468}\u200d']) {
      const name = `a${character.repeat(64)}`;
      expect(read(hub, { name })).toEqual({
        message: `name has ${[...name].length} characters; at most 64 are accepted`,
      });
    }
    expect(read(hub, { name: `a${'\u200b'.repeat(63)}` })).toMatchObject({
      message: expect.stringContaining('U+200B'),
    });
  });

  test('a list over its limit is rejected before its elements are checked', () => {
    const body = { email: 'a@example.org', hubIds: Array(101).fill(7) };
    expect(read(CreateInvitationBody, body)).toEqual({ message: 'hubIds has 101 elements; at most 100 are accepted' });
  });
});
