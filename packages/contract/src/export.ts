import { type Static, Type } from '@sinclair/typebox';
import { Hub } from './hubs.ts';
import { Message, Note, Todo } from './items.ts';
import { Id } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { Member } from './users.ts';

/**
 * Everything in a Hub, oldest first. It contains the changes up to the event `hub.seq`, and each item as it was when it
 * was read from the database. A client that then follows the Hub from `seq` and `epoch`, and replaces items with those
 * in the events, has the exact state.
 */
export const HubExport = Type.Object(
  {
    exportedAt: Timestamp('When the export started.'),
    epoch: Id('epoch'),
    hub: Type.Omit(
      Hub,
      [
        'isMember',
        'readSeq',
        'readSeqs',
        'readVersion',
        'unreadCount',
        'unreadCounts',
        'unreadMentionIds',
        'isFavorite',
        'isMuted',
        'mutedKeyIds',
        'memberCount',
        'keyCount',
      ],
      { additionalProperties: false },
    ),
    members: Type.Array(Member),
    messages: Type.Array(Message, { description: 'Includes replies.' }),
    notes: Type.Array(Note),
    todos: Type.Array(Todo),
  },
  { additionalProperties: false, description: 'Everything in a Hub, oldest first.' },
);
export type HubExport = Static<typeof HubExport>;
