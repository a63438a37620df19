import ArchiveRestore from 'icon:archive-restore';
import CircleDot from 'icon:circle-dot';
import Trash2 from 'icon:trash-2';
import type { Hub } from '@hub/contract';
import { useState } from 'preact/hooks';
import { When } from '../../item-text/when.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { countOf } from '../members/holdings-text.ts';
import { AS_CELL, AS_HEAD, AS_ROW, AS_ROWS, AS_TABLE } from '../table-roles.ts';
import { retentionText } from './hubs-list.ts';
import { RestoreHubDialog } from './restore-hub-dialog.tsx';

export function HubsTable({ hubs, onChanged }: { hubs: readonly Hub[]; onChanged: () => Promise<void> }) {
  const [restored, setRestored] = useState<Hub | null>(null);
  return (
    <>
      <h2 class="hub-head">
        Hubs <span class="num">{hubs.length}</span>
      </h2>
      <table class="keys hubs" {...AS_TABLE} aria-label="Hubs">
        <colgroup>
          <col />
          <col class="c-state" />
          <col class="c-used" />
          <col class="c-use" />
        </colgroup>
        <thead {...AS_ROWS}>
          <tr {...AS_ROW}>
            <th {...AS_HEAD}>
              <span class="sr">Hub</span>
            </th>
            <th {...AS_HEAD}>Members and keys</th>
            <th {...AS_HEAD}>Items are kept</th>
            <th {...AS_HEAD}>
              <span class="sr">State</span>
            </th>
          </tr>
        </thead>
        <tbody {...AS_ROWS}>
          {hubs.map((hub) => (
            <HubRow key={hub.id} hub={hub} onRestore={() => setRestored(hub)} />
          ))}
        </tbody>
      </table>
      {restored && <RestoreHubDialog hub={restored} onChanged={onChanged} onClose={() => setRestored(null)} />}
    </>
  );
}

function HubRow({ hub, onRestore }: { hub: Hub; onRestore: () => void }) {
  const { id, name, deletedAt, isMember, memberCount = 0, keyCount = null, retentionDays } = hub;
  const isAdmin = useWorkspace().me.value.role !== 'member';
  return (
    <tr class={deletedAt === null ? '' : 'is-quiet'} {...AS_ROW}>
      <td class="t-name" {...AS_CELL}>
        <span class="name">
          <CircleDot size="m" />
          <span>
            <b>
              <a class="row-link" href={`/settings/hubs?hub=${id}`}>
                {name}
              </a>
            </b>
            {isAdmin && <span class="sub">{isMember ? 'You’re a member' : 'You’re not a member'}</span>}
          </span>
        </span>
      </td>
      <td class="t-state" {...AS_CELL}>
        {countOf(memberCount, 'member')}
        {keyCount !== null && <span class="sub">{countOf(keyCount, 'key')}</span>}
      </td>
      <td class="t-used" {...AS_CELL}>
        <span class="narrow-label">Items are kept </span>
        {retentionText(retentionDays)}
      </td>
      <td class="t-actions" {...AS_CELL}>
        {deletedAt !== null && (
          <div class="actions">
            <span class="with-time">
              <span class="state is-over">
                <Trash2 /> Deleted
              </span>{' '}
              <When at={deletedAt} />
            </span>
            <button class="btn is-small" type="button" aria-label={`Restore ${name}`} onClick={onRestore}>
              <ArchiveRestore size="s" /> Restore
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}
