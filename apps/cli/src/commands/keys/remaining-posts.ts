import type { ApiKey } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import { count } from '../../runtime/times.ts';

/** Points out that revoking a key does not remove its posts, even if someone misused the key. */
export function reportRemainingPosts(cli: Cli, { id, postCount }: Pick<ApiKey, 'id' | 'postCount'>): void {
  if (postCount === 0) return;
  cli.output.note(
    `Its ${count(postCount, 'post')} ${postCount === 1 ? 'stays' : 'stay'}. To remove the posts by this key (admins only):`,
  );
  cli.output.note(`  hubctl keys remove-posts ${id}`);
}
