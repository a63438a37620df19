import type { TodoStatus } from '@hub/contract';
import { AppError } from '../platform/errors.ts';
import type { ItemKind } from './items.ts';

/** A word or an exact phrase, taken literally. */
export interface SearchTerm {
  text: string;
  isPrefix: boolean;
}

export interface SearchQuery {
  /** The item must contain all of these terms. */
  terms: readonly SearchTerm[];
  /** The Hubs to search; the caller has already checked access to them. */
  hubIds: readonly string[];
  kind?: ItemKind | undefined;
  keyId?: string | undefined;
  authorId?: string | undefined;
  status?: TodoStatus | undefined;
  from?: number | undefined;
  to?: number | undefined;
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
