/** A page of a list, newest first: at most `limit` entries before the id `before`. */
export interface PageRequest {
  limit: number;
  before?: string | undefined;
}

export interface HubRecord {
  id: string;
  name: string;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
  createdAt: number;
  deletedAt: number | null;
  retentionDays: number | null;
}

export type ItemKind = 'message' | 'note' | 'todo';
