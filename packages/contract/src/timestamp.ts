import { Type } from '@sinclair/typebox';

/** An instant in a response: ISO 8601 in UTC with milliseconds. */
export function Timestamp(description: string, example = '2026-03-01T09:30:00.000Z') {
  return Type.String({
    description,
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
    examples: [example],
  });
}
