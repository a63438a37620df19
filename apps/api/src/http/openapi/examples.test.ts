import { expect, test } from 'bun:test';
import {
  Created,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
} from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { exampleOf, examplesOf } from './examples.ts';
import type { Schema } from './schemas.ts';

const hub = shared(startTestHub);
const caller = shared(() => publicCaller(hub));

/** Returns the names of all fields at any depth, with the kind of each value. */
function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]));
}

test.each([
  ['messages', CreateMessageBody, CreatedMessage],
  ['notes', CreateNoteBody, CreatedNote],
  ['todos', CreateTodoBody, CreatedTodo],
] as const)('an example request returns its example response: %s', async (kind, body, created) => {
  const expected = shape(exampleOf(Created(created) as Schema));
  for (const example of examplesOf(body as Schema)) {
    const response = await caller.post(kind, example);
    expect(response.status).toBe(201);
    expect(shape(await response.json())).toEqual(expected);
  }
});
