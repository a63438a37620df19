/** Mentions of users, and replies in their threads. */
export interface MentionStore {
  /** Lists the ids of the unread items in this Hub, newest first, excluding deleted ones. */
  unreadIds(query: { personId: string; hubId: string; limit: number }): Promise<string[]>;
  /**
   * Returns the participants of this reply's thread: the users who had started the thread or written one of its newest
   * hundred replies when the reply was written, except the author of the reply.
   */
  threadParticipants(replyId: string): Promise<string[]>;
  /** Ignores items that neither mention the user nor reply in their threads. */
  markRead(change: { personId: string; itemIds: readonly string[] }): Promise<void>;
  /**
   * Marks the item and everything older as read, in all Hubs. Returns false if the item neither mentions the user nor
   * replies in their threads.
   */
  markReadUpTo(change: { personId: string; itemId: string }): Promise<boolean>;
  /** Marks a message as read, and the replies to it up to this event. */
  markThreadRead(change: { personId: string; messageId: string; seq: number }): Promise<void>;
}
