import { expect, test } from 'bun:test';
import type * as contract from '@hub/contract';
import { LIVE_CLOSE, LIVE_PATH } from '@hub/contract';
import { startLiveTrial } from '@hub/testkit/client/live-trial';
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
} from './index.ts';
import type { ClientFrame, ServerFrame } from './protocol.ts';

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
] = [true, true, true];

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
