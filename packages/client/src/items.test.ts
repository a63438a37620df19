import { expect, test } from 'bun:test';
import type * as contract from '@hub/contract';
import { LIMITS } from '@hub/contract';
import type {
  Block,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
  Priority,
} from './index.ts';

/** `true` only if the two types are the same; otherwise this file does not compile. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Fits<A, B> = A extends B ? true : false;
type KeysOf<T> = T extends unknown ? keyof T : never;

const responsesMatchContract: [
  Same<CreatedMessage, contract.CreatedMessage>,
  Same<CreatedNote, contract.CreatedNote>,
  Same<CreatedTodo, contract.CreatedTodo>,
] = [true, true, true];

const inputFieldsMatchContract: [
  Same<KeysOf<CreateMessageInput>, keyof contract.CreateMessageBody>,
  Same<keyof CreateNoteInput, keyof contract.CreateNoteBody>,
  Same<keyof CreateTodoInput, keyof contract.CreateTodoBody>,
  Same<keyof Block, keyof contract.Block>,
] = [true, true, true, true];

const contractInputsFit: [
  Fits<contract.CreateMessageBody & { text: string }, CreateMessageInput>,
  Fits<contract.CreateMessageBody & { blocks: contract.Block[] }, CreateMessageInput>,
  Fits<contract.CreateNoteBody, CreateNoteInput>,
  Fits<contract.CreateTodoBody, CreateTodoInput>,
  Fits<Record<string, never>, CreateMessageInput>,
] = [true, true, true, true, false];

const prioritiesMatchContract: Same<Priority, contract.Priority> = true;

test('the input and output types match the contract', () => {
  const all = [responsesMatchContract, inputFieldsMatchContract, contractInputsFit];
  expect(all.flat().filter((fits) => !fits)).toEqual([false]);
  expect(prioritiesMatchContract).toBe(true);
});

test('the limits in the doc comments match the contract', async () => {
  const source = await Bun.file(new URL('./items.ts', import.meta.url)).text();
  const limits = [...source.matchAll(/at most ([\d,]+)/g)].map(([, number]) => Number(number?.replace(',', '')));
  const { messageTextCodePoints, blocks, titleCodePoints, noteContentCodePoints, todoContentCodePoints } = LIMITS;
  expect(limits).toEqual([
    messageTextCodePoints,
    blocks,
    messageTextCodePoints,
    blocks,
    titleCodePoints,
    noteContentCodePoints,
    titleCodePoints,
    todoContentCodePoints,
  ]);
});
