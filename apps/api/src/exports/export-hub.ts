import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { hubDocument } from './hub-document.ts';
import type { Turns } from './turns.ts';

/**
 * Returns all content of a Hub, piece by piece, to a caller who may read it. The export is recorded in the audit log
 * before the first piece. If the caller loses access to the Hub, or their session or account ends while they are
 * reading, they get no more pieces: `reauthorize` throws if the credential is no longer valid.
 */
export async function exportHub(
  deps: Deps,
  sender: Caller,
  hubId: string,
  { turns, reauthorize }: { turns: Turns; reauthorize: () => Promise<void> },
): Promise<AsyncIterable<string>> {
  const { hub, exportedAt } = await changeAs(deps, sender, async (tx, caller) => {
    const hub = await readableHub(tx, caller, hubId);
    const { id, name } = hub;
    const audit = auditRecord(deps, caller, { action: 'hub.exported', hubId: id, targetId: id, targetName: name });
    await tx.audit.insert(audit);
    return { hub, exportedAt: audit.at };
  });
  return hubDocument(deps, hub, {
    exportedAt,
    turns,
    check: async () => {
      await reauthorize();
      await readableHub(deps.store, sender, hub.id);
    },
  });
}
