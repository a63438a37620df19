import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { notFound } from '../printable.ts';
import { hubDocument } from './hub-document.ts';
import type { Turns } from './turns.ts';

/**
 * Returns all content of a Hub, piece by piece, to a caller who may read it. The export is recorded in the audit log
 * before the first piece. If the caller loses access to the Hub, or their session or account ends while they are
 * reading, they get no more pieces: `reauthorize` throws if the credential is no longer valid.
 */
export async function exportHub(
  deps: Deps,
  caller: Caller,
  hubId: string,
  { turns, reauthorize }: { turns: Turns; reauthorize: () => Promise<void> },
): Promise<AsyncIterable<string>> {
  const { id, name } = await readableHub(deps.store, caller, hubId);
  const audit = auditRecord(deps, caller, { action: 'hub.exported', hubId: id, targetId: id, targetName: name });
  const hub = await deps.store.hubs.recordExport({ hubId: id, audit });
  if (!hub) throw new AppError('not_found', notFound('Hub', id));
  return hubDocument(deps, hub, {
    exportedAt: audit.at,
    turns,
    check: async () => {
      await reauthorize();
      await readableHub(deps.store, caller, id);
    },
  });
}
