import type { TodoStatus } from '@hub/contract';
import { AppError } from '../platform/errors.ts';
import type { ItemKind } from './items.ts';

/** A word or an exact phrase, taken literally. */
export interface SearchTerm {
  text: string;
  /** Whether the last word of the term is a prefix, because the user is still typing it. */
  isPrefix: boolean;
}

export interface SearchQuery {
  /** The item must contain all of these terms. */
  terms: readonly SearchTerm[];
  /** The Hubs to search; the caller has already checked access to them. */
  hubIds: readonly string[];
  /** `message` includes replies. */
  kind?: ItemKind | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  /** Only to-dos with this status. */
  status?: TodoStatus | undefined;
  /** Only items created in this period, in milliseconds since 1970: `from` is inclusive, `to` exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only items with a lower global sequence number, that is, earlier in commit order. */
  beforeGlobalSeq?: number | undefined;
  limit: number;
}

/** Searches all items. The index lags slightly behind: read a result from the store before showing it. */
export interface ItemSearch {
  /** Returns global sequence numbers, newest first. Rejects with `unavailable` if it takes too long. */
  find(query: SearchQuery, caller: string): Promise<number[]>;
}

/** Returns the error for a search that takes too long. */
export function searchTooSlow(): AppError {
  return new AppError('unavailable', 'This search took too long. Use fewer or rarer words, or search in one Hub only.');
}
