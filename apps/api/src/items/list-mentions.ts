import type { MentionPage } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { readableHubIds } from '../hubs/hub-rights.ts';
import { authorOf } from './item-rights.ts';
import { streamPage } from './list-stream.ts';

/** Returns a page of mentions of and replies to the caller, newest first, from Hubs that they may read now. */
export async function listMentions(
  deps: Deps,
  caller: Caller,
  page: { limit: number; before?: string | undefined },
): Promise<MentionPage> {
  const hubIds = await readableHubIds(deps.store, caller);
  const personId = authorOf(caller).id;
  const { unreadIds, ...found } = await deps.store.items.listMentioning({ ...page, hubIds, personId });
  return { ...streamPage(found), unreadIds };
}
