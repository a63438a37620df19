import type { KeyTimes } from '@hub/contract/key-state';
import type { SequencedHub } from './events.ts';
import type { NewPost } from './items.ts';

/** Decides on a post inside its transaction. Its functions may be called twice. */
export interface PostRule {
  /** Throws if the post must not be written. `key`: `null` if it has not changed since it was authenticated. */
  check(key: KeyTimes | null, hub: Pick<SequencedHub, 'deletedAt'> | undefined): void;
  /** Returns which of the active members of the Hub the post mentions. Absent if it cannot mention anyone. */
  mentioned?: (members: readonly { id: string; name: string }[]) => Iterable<string>;
}

export interface PostWriter {
  /** Writes a post with its event and mentions, unless its rule rejects it. Resolves once everything is on disk. */
  write(post: NewPost, rule: PostRule): Promise<SequencedHub>;
}
