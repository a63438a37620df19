export type { Block, Priority } from '../items.ts';
export { applyEvent, type Items } from './apply-event.ts';
export { connectLive } from './connect-live.ts';
export type {
  EventFrame,
  HubNotification,
  ItemEventName,
  LiveErrorCode,
  UnreadState,
  WorkspaceTopic,
} from './frames.ts';
export type { Author, ErasedItem, Item, ItemFields, Message, Note, Reaction, Todo } from './items.ts';
export type {
  FollowEnd,
  Following,
  FollowOptions,
  Live,
  LiveOptions,
  LiveSocket,
  LiveState,
  Position,
} from './options.ts';
