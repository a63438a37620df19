import type { Hub, Item, User, UserRef } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { usePages } from '../../data/live/use-pages.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { errorMessage, request } from '../../data/request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/forms/form.tsx';
import { ItemQuote, restoreItem, textOfItem } from '../../ui/items/deletion.tsx';
import { When } from '../../ui/items/when.tsx';
import { AddMember, addMember, MemberRow, usersToAdd } from '../../ui/members/add-member.tsx';
import { lazy } from '../../ui/page/lazy.tsx';

const InviteDialog = lazy(async () => (await import('../settings/members/invitations.tsx')).InviteDialog);

export type HubDialogKind = 'members' | 'deleted';

interface HubDialogProps {
  hub: Hub;
  onClose: () => void;
}

export function HubDialog({ kind, ...props }: HubDialogProps & { kind: HubDialogKind }) {
  return kind === 'members' ? <MembersDialog {...props} /> : <DeletedDialog {...props} />;
}

function MembersDialog({ hub, onClose }: HubDialogProps) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const members = useAllMembers(hub.id);
  const [others, setOthers] = useState<readonly User[] | null>(null);
  const [failure, setError] = useState('');
  const [isInviting, setInviting] = useState(false);
  const [added, setAdded] = useState('');
  useEffect(() => {
    if (!isAdmin) return;
    let isOver = false;
    usersToAdd(members).then(
      (users) => isOver || setOthers(users),
      (error: unknown) => isOver || setError(errorMessage(error)),
    );
    return () => {
      isOver = true;
    };
  }, [isAdmin, members]);
  const add = async ({ id, name }: UserRef) => {
    setError('');
    setAdded('');
    try {
      // The event for the added member reloads the list.
      await addMember(hub.id, id);
      setAdded(`${name} can now read this Hub.`);
    } catch (error) {
      setError(`Couldn’t add ${name}. ${errorMessage(error)}`);
    }
  };
  if (isInviting) {
    return <InviteDialog hubId={hub.id} onInvited={async () => {}} onClose={() => setInviting(false)} />;
  }
  return (
    <Dialog
      title={`Members of ${hub.name}`}
      description={
        isAdmin
          ? 'Members see everything in this Hub, including posts from before they were added.'
          : 'Members see everything in this Hub.'
      }
      onClose={onClose}
      foot={
        isAdmin && (
          <>
            <AddMember users={others} onAdd={add} />
            <Button label="Invite to the workspace" onClick={() => setInviting(true)} />
          </>
        )
      }
      actions={<Button label="Close" onClick={onClose} />}
    >
      <ul class="member-list">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
      </ul>
      <p role="status">{added}</p>
      <Problem text={failure} />
    </Dialog>
  );
}

function DeletedDialog({ hub, onClose }: HubDialogProps) {
  const { items, me } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set());
  const { pages, loadMore } = usePages<Item>(
    (before, signal) => request('GET /hubs/{hubId}/deleted-items', { hubId: hub.id, query: { before }, signal }),
    { key: hub.id, topics: [] },
  );
  const restore = async (item: Item, button: Element) => {
    if (!(await restoreItem(items, item))) return;
    // The button goes with its row: the next one gets the focus, or Close after the last.
    const row = button.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling ?? row?.closest('dialog');
    Array.from(next?.querySelectorAll('button') ?? [])
      .at(-1)
      ?.focus();
    setRestored((ids) => new Set(ids).add(item.id));
  };
  const remaining = pages.items.filter(({ id }) => !restored.has(id));
  return (
    <Dialog
      title={`Deleted items in ${hub.name}`}
      description={
        isAdmin
          ? 'Everything that was deleted in the last 30 days. Other members see only what they wrote or deleted.'
          : 'What you wrote or deleted in the last 30 days. Others can’t see it, except for admins.'
      }
      onClose={onClose}
      actions={<Button label="Close" onClick={onClose} />}
    >
      {remaining.length === 0 && pages.status === 'ready' && <p>No deleted items.</p>}
      <ul class="deleted-items">
        {remaining.map((item) => (
          <li key={item.id}>
            <ItemQuote item={item} />
            <span class="sub">
              Deleted <When at={item.deletedAt ?? item.createdAt} />
            </span>
            <Button
              variant="is-small"
              label="Restore"
              aria-label={`Restore ${textOfItem(item)}`}
              onClick={({ currentTarget }) => void restore(item, currentTarget)}
            />
          </li>
        ))}
      </ul>
      {pages.next !== null && <Button variant="is-small" label="Load more" onClick={loadMore} />}
      <Problem text={pages.status === 'failed' ? pages.text : ''} />
    </Dialog>
  );
}
