import Plus from 'icon:plus';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { TogglePill } from '../../../ui/forms/choices.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { InvitationsSection, InviteDialog } from './invitations.tsx';
import { loadMembers, shownMembers, type WorkspaceMembers } from './users-list.ts';
import { MembersTable } from './users-table.tsx';

/** The members of the workspace. Admins invite members, change roles, and disable and enable accounts. */
export function MembersPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isInviting, setInviting] = useState(false);
  const { state, reload } = useResource((signal) => loadMembers(isAdmin, signal), {
    key: String(isAdmin),
    topics: ['people'],
  });
  const about = isAdmin
    ? 'Everyone who can sign in. Members can read only the Hubs they’re in.'
    : 'Everyone who can sign in. Admins invite members and change roles.';
  return (
    <PageBody
      title="Members"
      about={about}
      action={
        isAdmin && (
          <button class="btn is-main" type="button" onClick={() => setInviting(true)}>
            <Plus /> Invite a member
          </button>
        )
      }
    >
      <Loaded state={state} onRetry={reload}>
        {(members) => <Users {...members} onChanged={reload} />}
      </Loaded>
      {isInviting && <InviteDialog onInvited={reload} onClose={() => setInviting(false)} />}
    </PageBody>
  );
}

function Users({ users, invitations, onChanged }: WorkspaceMembers & { onChanged: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [areDisabledShown, setDisabledShown] = useState(false);
  const disabled = users.filter(({ disabledAt }) => disabledAt !== null).length;
  const shown = shownMembers(users, { text, areDisabledShown });
  return (
    <>
      <div class="filters" role="group" aria-label="Filters">
        <input
          class="find"
          type="search"
          aria-label="Find by name or e-mail"
          placeholder="Find by name or e-mail"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {disabled > 0 && (
          <TogglePill label="Show disabled" count={disabled} isOn={areDisabledShown} onChange={setDisabledShown} />
        )}
      </div>
      <p class="sr" role="status">
        {text.trim() !== '' && `${shown.length} found`}
      </p>
      {shown.length === 0 && (
        <NoMatches text={text} isMore={disabled > 0 && !areDisabledShown} onAll={() => setDisabledShown(true)} />
      )}
      <MembersTable users={shown} all={users} onChanged={onChanged} />
      <InvitationsSection invitations={invitations} onChanged={onChanged} />
    </>
  );
}

function NoMatches({ text, isMore, onAll }: { text: string; isMore: boolean; onAll: () => void }) {
  return (
    <div class="empty">
      <p>No members match “{text.trim()}”.</p>
      {isMore && (
        <button class="btn" type="button" onClick={onAll}>
          Search disabled members
        </button>
      )}
    </div>
  );
}
