import { type Static, Type } from '@sinclair/typebox';
import { Hub } from './hubs.ts';
import { Message, Note, Todo } from './items.ts';
import { Timestamp } from './timestamp.ts';
import { Member } from './users.ts';

/**
 * All that is in a Hub, oldest first. It holds what had been announced by the event `hub.seq`, as it was when it was read:
 * who follows the Hub from `seq` and `epoch` on, and puts what comes in the place of what is here, has it exactly.
 */
export const HubExport = Type.Object(
  {
    exportedAt: Timestamp('When it was begun.'),
    epoch: Type.String(),
    hub: Type.Omit(
      Hub,
      ['isMember', 'readSeq', 'readSeqs', 'unreadCount', 'unreadCounts', 'unreadMentionIds', 'memberCount', 'keyCount'],
      { additionalProperties: false },
    ),
    members: Type.Array(Member),
    messages: Type.Array(Message, { description: 'Replies too.' }),
    notes: Type.Array(Note),
    todos: Type.Array(Todo),
  },
  { additionalProperties: false, description: 'All that is in a Hub, oldest first.' },
);
export type HubExport = Static<typeof HubExport>;
