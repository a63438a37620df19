import { expect, test } from 'bun:test';
import type * as contract from '@hub/contract';
import { LIMITS, LIVE_CLOSE, LIVE_PATH } from '@hub/contract';
import type { ListItem, ListOperation } from '@hub/contract/operations';
import { startLiveTrial } from '../test/live-trial.ts';
import type * as client from './index.ts';
import type * as live from './live/index.ts';
import type { ClientFrame, ServerFrame } from './live/protocol.ts';
import type { Hub, Lists } from './workspace/reader.ts';

/** `true` only if the two types are assignable to each other. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<A, B> = [A] extends [B] ? true : false;
/** `true` only if the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type KeysOf<T> = T extends unknown ? keyof T : never;

/** Compiles only if all these are `true`. */
const holds = <_Claims extends true[]>() => {};

holds<
  [
    Alike<keyof live.Message, keyof contract.Message>,
    Alike<keyof live.Note, keyof contract.Note>,
    Alike<keyof live.Todo, keyof contract.Todo>,
    Alike<Omit<live.Message, 'blocks'>, Omit<contract.Message, 'blocks'>>,
    Alike<live.Note, contract.Note>,
    Alike<live.Todo, contract.Todo>,
    Alike<live.ErasedItem, contract.ErasedItem>,
    Alike<live.EventFrame['event'], contract.EventFrame['event']>,
    Alike<live.LiveErrorCode, contract.LiveErrorCode>,
    Alike<ClientFrame, contract.ClientFrame>,
    Alike<live.WorkspaceTopic, contract.WorkspaceTopic>,
    Alike<live.HubNotification, contract.HubNotification>,
    Alike<live.UnreadState, contract.UnreadState>,
    Fits<contract.Item, live.Item>,
    Fits<contract.EventFrame, live.EventFrame>,
    Fits<contract.ServerFrame, ServerFrame>,
    Fits<contract.Hub, Hub>,
    Fits<keyof Lists, ListOperation>,
    Fits<{ [List in keyof Lists]: ListItem<List> }, Lists>,
    Same<client.CreatedMessage, contract.CreatedMessage>,
    Same<client.CreatedNote, contract.CreatedNote>,
    Same<client.CreatedTodo, contract.CreatedTodo>,
    Same<client.UploadedFile, contract.UploadedFile>,
    Same<KeysOf<client.CreateMessageInput>, keyof contract.CreateMessageBody>,
    Same<keyof client.CreateNoteInput, keyof contract.CreateNoteBody>,
    Same<keyof client.CreateTodoInput, keyof contract.CreateTodoBody>,
    Same<keyof client.Block, keyof contract.Block>,
    Fits<contract.CreateMessageBody & { text: string }, client.CreateMessageInput>,
    Fits<contract.CreateMessageBody & { blocks: contract.Block[] }, client.CreateMessageInput>,
    Fits<contract.CreateNoteBody, client.CreateNoteInput>,
    Fits<contract.CreateTodoBody, client.CreateTodoInput>,
    Same<client.Priority, contract.Priority>,
  ]
>();

test('the path of the connection and the close code for unauthenticated match the contract', async () => {
  await using trial = startLiveTrial();
  const peer = await trial.open();
  expect(new URL(trial.server.requests[0]?.url ?? '').pathname).toBe(LIVE_PATH);
  peer.close(LIVE_CLOSE.unauthenticated, 'x');
  await trial.states.first(({ status }) => status === 'ended');
});

test('the limits in the doc comments match the contract', async () => {
  const source = await Bun.file(new URL('./items.ts', import.meta.url)).text();
  const limits = [...source.matchAll(/at most ([\d,]+)/g)].map(([, number]) => Number(number?.replace(',', '')));
  const { messageTextCodePoints, blocks, titleCodePoints, noteContentCodePoints, todoContentCodePoints } = LIMITS;
  const [message, title] = [[messageTextCodePoints, blocks], titleCodePoints];
  expect(limits).toEqual([...message, ...message, title, noteContentCodePoints, title, todoContentCodePoints]);
});
