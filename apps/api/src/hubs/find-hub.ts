import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import type { HubListing } from '../store/store.ts';

/** The Hub with this id, deleted or not, or a `not_found` refusal. Of an undecodable path the router makes `null`. */
export async function findHub({ store }: Pick<Deps, 'store'>, hubId: string | null): Promise<HubListing> {
  const hub = hubId === null ? null : await store.hubs.find(hubId);
  if (!hub) throw new AppError('not_found', notFound('Hub', hubId));
  return hub;
}
