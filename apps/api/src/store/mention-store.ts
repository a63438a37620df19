/** What is addressed to people: what names them, and replies in their threads. */
export interface MentionStore {
  /** In this Hub, of what was not deleted, the newest first. */
  unreadIds(query: { personId: string; hubId: string; limit: number }): Promise<string[]>;
  /**
   * In whose threads this reply is: who began it, and who wrote any of its newest hundred replies, as it was when the reply was
   * written. Without its author.
   */
  responded(replyId: string): Promise<string[]>;
  /** What of these is not addressed to the person is passed over. */
  markRead(change: { personId: string; itemIds: readonly string[] }): Promise<void>;
  /** The item and all that is older, in all Hubs. False if it is not addressed to the person. */
  markReadUpTo(change: { personId: string; itemId: string }): Promise<boolean>;
  /** The message, and the replies to it up to this event. */
  markThreadRead(change: { personId: string; messageId: string; seq: number }): Promise<void>;
}
