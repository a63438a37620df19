import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { count } from '../../runtime/times.ts';

/** Stopping a key takes nothing back of what it has posted, which whoever found it may have misused. */
export function reportRemainingPosts(cli: Cli, { id, postCount }: Pick<ApiKey, 'id' | 'postCount'>): void {
  if (postCount === 0) return;
  cli.output.note(
    `Its ${count(postCount, 'post')} ${postCount === 1 ? 'stays' : 'stay'}. An admin can remove what it has posted:`,
  );
  cli.output.note(`  hubctl keys remove-posts ${id}`);
}
