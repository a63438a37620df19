import type { TodoStatus } from '@hub/contract';
import type { ItemKind } from './store.ts';

/** One word, or several that stand one after the other, taken literally. */
export interface SearchTerms {
  text: string;
  /** Whether its last word may go on, as one that is still being typed. */
  isPrefix: boolean;
}

export interface SearchQuery {
  /** All of them must be in the item. */
  words: readonly SearchTerms[];
  /** Where to look; the caller has judged that all of them may be read. */
  hubIds: readonly string[];
  /** Replies are messages here. */
  kind?: ItemKind | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  /** Only to-dos that stand so. */
  status?: TodoStatus | undefined;
  /** Only what was made in this time: not before `from`, before `to`; in milliseconds since 1970. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only items of a lower rank: those before them in the order of commit. */
  beforeRank?: number | undefined;
  limit: number;
}

/**
 * The port to the full-text index. It follows the items, so what it finds may have been deleted or edited a moment ago:
 * whoever shows it reads it from the store.
 */
export interface ItemSearch {
  /** The ranks of what was found, newest first. Rejects with `unavailable` if there is no answer in time. */
  find(query: SearchQuery): Promise<number[]>;
}
