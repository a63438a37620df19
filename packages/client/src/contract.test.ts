import { describe, expect, test } from 'bun:test';
import type * as contract from '@hub/contract';
import { LIMITS, LIVE_CLOSE, LIVE_PATH } from '@hub/contract';
import type { ListItem, ListOperation } from '@hub/contract/operations';
import { startLiveTrial } from '../test/live-trial.ts';
import type {
  Block,
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageInput,
  CreateNoteInput,
  CreateTodoInput,
  Priority,
  UploadedFile,
} from './index.ts';
import type {
  ErasedItem,
  EventFrame,
  HubNotification,
  Item,
  LiveErrorCode,
  Message,
  Note,
  Todo,
  UnreadState,
  WorkspaceTopic,
} from './live/index.ts';
import type { ClientFrame, ServerFrame } from './live/protocol.ts';
import type { Hub, Lists } from './workspace/reader.ts';

/** `true` only if the two types are assignable to each other; otherwise this file does not compile. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<A, B> = [A] extends [B] ? true : false;

const typesMatchContract: [
  Alike<keyof Message, keyof contract.Message>,
  Alike<keyof Note, keyof contract.Note>,
  Alike<keyof Todo, keyof contract.Todo>,
  Alike<Omit<Message, 'blocks'>, Omit<contract.Message, 'blocks'>>,
  Alike<Note, contract.Note>,
  Alike<Todo, contract.Todo>,
  Alike<ErasedItem, contract.ErasedItem>,
  Alike<EventFrame['event'], contract.EventFrame['event']>,
  Alike<LiveErrorCode, contract.LiveErrorCode>,
  Alike<ClientFrame, contract.ClientFrame>,
  Alike<WorkspaceTopic, contract.WorkspaceTopic>,
  Alike<HubNotification, contract.HubNotification>,
  Alike<UnreadState, contract.UnreadState>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true];

const serverFramesFit: [
  Fits<contract.Item, Item>,
  Fits<contract.EventFrame, EventFrame>,
  Fits<contract.ServerFrame, ServerFrame>,
  Fits<contract.Hub, Hub>,
  Fits<keyof Lists, ListOperation>,
  { [List in keyof Lists]: Fits<ListItem<List>, Lists[List]> }[keyof Lists],
] = [true, true, true, true, true, true];

test('the types of items and frames match the contract', () => {
  expect([...typesMatchContract, ...serverFramesFit]).not.toContain(false);
});

test('the path of the connection and the close code for unauthenticated match the contract', async () => {
  await using trial = startLiveTrial();
  const peer = await trial.open();
  expect(new URL(trial.server.requests[0]?.url ?? '').pathname).toBe(LIVE_PATH);
  peer.close(LIVE_CLOSE.unauthenticated, 'x');
  await trial.states.first(({ status }) => status === 'ended');
});

describe('items', () => {
  /** `true` only if the two types are the same; otherwise this file does not compile. */
  type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
  type KeysOf<T> = T extends unknown ? keyof T : never;

  const responsesMatchContract: [
    Same<CreatedMessage, contract.CreatedMessage>,
    Same<CreatedNote, contract.CreatedNote>,
    Same<CreatedTodo, contract.CreatedTodo>,
    Same<UploadedFile, contract.UploadedFile>,
  ] = [true, true, true, true];

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
    const [message, title] = [[messageTextCodePoints, blocks], titleCodePoints];
    expect(limits).toEqual([...message, ...message, title, noteContentCodePoints, title, todoContentCodePoints]);
  });
});
