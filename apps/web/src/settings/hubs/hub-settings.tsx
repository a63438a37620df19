import ArchiveRestore from 'icon:archive-restore';
import ArrowLeft from 'icon:arrow-left';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { fullTime } from '../../time/format.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import { countOf } from '../members/holdings-text.ts';
import { PageHead } from '../page-head.tsx';
import { DeleteHubSection } from './delete-hub-section.tsx';
import { ExportSection } from './export-section.tsx';
import { HubMembersSection } from './hub-members-section.tsx';
import { retentionText } from './hubs-list.ts';
import { RenameSection } from './rename-section.tsx';
import { RestoreHubDialog } from './restore-hub-dialog.tsx';
import { RetentionSection } from './retention-section.tsx';

interface HubSettingsProps {
  hub: Hub;
  onChanged: () => Promise<void>;
}

/** Settings of one Hub: name, members, keys, retention, export and deletion. */
export function HubSettings({ hub, onChanged }: HubSettingsProps) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const { id, name, deletedAt, retentionDays } = hub;
  return (
    <div class="settings-in is-own hub-settings">
      <div>
        <a class="back-link" href="/settings/hubs">
          <ArrowLeft /> All Hubs
        </a>
        <PageHead title={name} about={`Items are kept ${retentionText(retentionDays)}.`}>
          {hub.isMember && deletedAt === null && (
            <a class="btn" href={`/hubs/${id}`}>
              Open Hub
            </a>
          )}
        </PageHead>
      </div>
      {deletedAt === null ? (
        <>
          {isAdmin && <RenameSection hub={hub} onChanged={onChanged} />}
          <HubMembersSection hub={hub} onChanged={onChanged} />
          <KeysSection hub={hub} />
          {isAdmin && <RetentionSection hub={hub} onChanged={onChanged} />}
          <ExportSection hub={hub} />
          {isAdmin && <DeleteHubSection hub={hub} onChanged={onChanged} />}
        </>
      ) : (
        <Deleted hub={hub} deletedAt={deletedAt} onChanged={onChanged} />
      )}
    </div>
  );
}

function KeysSection({ hub: { id, keyCount = null } }: { hub: Hub }) {
  if (keyCount === null) return null;
  return (
    <section class="settings-section" aria-labelledby="hub-keys">
      <h2 id="hub-keys">Keys</h2>
      <p>
        {keyCount === 0 ? 'No keys can post here yet. ' : `${countOf(keyCount, 'key')} can post here. `}
        <a class="link" href={`/settings/keys?hub=${id}`}>
          View keys
        </a>
      </p>
    </section>
  );
}

function Deleted({ hub, deletedAt, onChanged }: HubSettingsProps & { deletedAt: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <section class="settings-section" aria-labelledby="hub-deleted">
        <h2 id="hub-deleted">Deleted</h2>
        <p>
          Deleted on {fullTime(deletedAt)}. Its keys get 404 and nobody can see it. Items, keys and members are kept.
        </p>
        <button class="btn" type="button" onClick={() => setAsking(true)}>
          <ArchiveRestore /> Restore Hub
        </button>
      </section>
      {isAsking && <RestoreHubDialog hub={hub} onChanged={onChanged} onClose={() => setAsking(false)} />}
    </>
  );
}
