import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { notFound } from '../printable.ts';
import { hubDocument } from './hub-document.ts';
import type { Turns } from './turns.ts';

/**
 * All that is in a Hub, for whoever may read it, piece by piece. It is in the audit log before the first piece. Who loses the
 * Hub while he reads, or his session or account, gets no more of it: `judgeAgain` refuses him who is nobody any more.
 */
export async function exportHub(
  deps: Deps,
  caller: Caller,
  hubId: string,
  { turns, authorizeAgain }: { turns: Turns; authorizeAgain: () => Promise<void> },
): Promise<AsyncIterable<string>> {
  const { id, name } = await readableHub(deps, caller, hubId);
  const audit = auditRecord(deps, caller, { action: 'hub.exported', hubId: id, targetId: id, targetName: name });
  const hub = await deps.store.hubs.noteExport({ hubId: id, audit });
  if (!hub) throw new AppError('not_found', notFound('Hub', id));
  return hubDocument(deps, hub, {
    exportedAt: audit.at,
    turns,
    check: async () => {
      await authorizeAgain();
      await readableHub(deps, caller, id);
    },
  });
}
