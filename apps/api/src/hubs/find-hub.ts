import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import type { HubListing, HubReads } from '../storage/hub-store.ts';

/** Returns the Hub, deleted or not, or throws `not_found`. The router passes `null` if the path cannot be decoded. */
export async function findHub({ hubs }: { hubs: Pick<HubReads, 'find'> }, hubId: string | null): Promise<HubListing> {
  const hub = hubId === null ? null : await hubs.find(hubId);
  if (!hub) throw new AppError('not_found', notFound('Hub', hubId));
  return hub;
}
