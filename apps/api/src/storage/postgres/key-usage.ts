import { sql } from 'drizzle-orm';
import { dayOf } from '../../platform/time.ts';
import { given, rawQuery } from '../engine/query.ts';
import { rawWrite } from '../engine/write.ts';
import { type KeyCounting, MAX_ADDRESSES } from '../key-usage.ts';

/** Adds the usage of keys, locked as posts lock them, and returns those that were used from a new address. */
const addUsage = rawQuery(
  sql`with used as (
      select key.id, tally.* from api_keys key
        join unnest(${given('keyIds')}::text[], ${given('requests')}::bigint[], ${given('lastUsedAts')}::bigint[],
          ${given('lastUsedAddresses')}::text[], ${given('days')}::bigint[]) as tally(key_id, requests, at, address, day)
          on tally.key_id = key.id
        where key.id = any(${given('keyIds')}::text[]) order by key.hub_id, key.id for no key update of key),
    counted as (
      update api_keys set request_count = request_count + used.requests, last_used_at = used.at,
          last_used_address = used.address
        from used where api_keys.id = used.id),
    on_day as (
      insert into key_days (key_id, day, requests) select id, day, requests from used
        on conflict (key_id, day) do update set requests = key_days.requests + excluded.requests),
    by_address as (
      insert into key_addresses (key_id, address, last_used_at, requests)
        select use.key_id, use.address, use.at, use.requests
          from unnest(${given('addressKeyIds')}::text[], ${given('addresses')}::text[], ${given('ats')}::bigint[],
            ${given('addressRequests')}::bigint[]) as use(key_id, address, at, requests) join used on used.id = use.key_id
        on conflict (key_id, address) do update set requests = key_addresses.requests + excluded.requests,
          last_used_at = greatest(key_addresses.last_used_at, excluded.last_used_at)
        returning key_id, xmax = 0 as is_new)
    select distinct key_id from by_address where is_new`,
  ([keyId]: readonly [string]) => keyId,
);
const deleteOldAddresses = rawWrite(
  sql`delete from key_addresses where (key_id, address) in (
      select key_id, address from (
        select key_id, address, row_number() over (partition by key_id order by last_used_at desc) as position
          from key_addresses where key_id = any(${given('keyIds')}::text[])) used
        where position > ${sql.raw(String(MAX_ADDRESSES))})`,
);

/** Posts are counted by the statement that writes them (`posts.ts`). */
export const keyCounting: KeyCounting = {
  unsaved: () => undefined,
  save: async (on, tallies) => {
    if (tallies.size === 0) return;
    const used = [...tallies];
    const uses = used.flatMap(([keyId, { addresses }]) => addresses.map((address) => ({ keyId, ...address })));
    const newlyUsed = await on.all(addUsage, {
      keyIds: used.map(([keyId]) => keyId),
      requests: used.map(([, { requestCount }]) => requestCount),
      lastUsedAts: used.map(([, { lastUsedAt }]) => lastUsedAt),
      lastUsedAddresses: used.map(([, { lastUsedAddress }]) => lastUsedAddress),
      days: used.map(([, { lastUsedAt }]) => dayOf(lastUsedAt)),
      addressKeyIds: uses.map(({ keyId }) => keyId),
      addresses: uses.map(({ address }) => address),
      ats: uses.map(({ lastUsedAt }) => lastUsedAt),
      addressRequests: uses.map(({ requests }) => requests),
    });
    if (newlyUsed.length > 0) await on.run(deleteOldAddresses, { keyIds: newlyUsed });
  },
};
