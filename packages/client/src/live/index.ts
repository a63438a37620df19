export { HubApiError } from '../api-errors.ts';
export { HubConnectionError } from '../errors.ts';
export type {
  Author,
  Block,
  ErasedItem,
  Item,
  ItemFields,
  Message,
  Note,
  Priority,
  Question,
  Reaction,
  Todo,
} from '../items.ts';
export { applyEvent, type Items } from './apply-event.ts';
export { type AskConnection, type AskOptions, type AskOutcome, ask, type ResumeOptions } from './ask.ts';
export { connectLive } from './connect-live.ts';
export type {
  EventFrame,
  HubEvent,
  HubNotification,
  ItemEventName,
  LiveErrorCode,
  UnreadState,
  WorkspaceTopic,
} from './frames.ts';

export type {
  EventsOptions,
  FollowEnd,
  Following,
  FollowOptions,
  Live,
  LiveOptions,
  LiveSocket,
  LiveState,
  Position,
} from './options.ts';
