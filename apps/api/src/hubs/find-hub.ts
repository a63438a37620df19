import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import type { HubRecord } from '../store/store.ts';

/** The Hub with this id, deleted or not, or a `not_found` refusal. */
export async function findHub({ store }: Pick<Deps, 'store'>, hubId: string): Promise<HubRecord> {
  const hub = await store.hubs.find(hubId);
  if (!hub) throw new Refusal('not_found', `There is no Hub ${hubId}.`);
  return hub;
}
