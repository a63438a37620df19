import Plus from 'icon:plus';
import { useState } from 'preact/hooks';
import { Loading } from '../../frame/loading.tsx';
import { Trouble } from '../../frame/trouble.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { PageHead } from '../page-head.tsx';
import { useFresh } from '../use-fresh.ts';
import { InvitationsSection } from './invitations-section.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { loadPeople, type PeopleOfWorkspace, shownPeople } from './people-list.ts';
import { PeopleTable } from './people-table.tsx';

/** Who works here. Admins invite, change roles, disable and enable. */
export function MembersPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isInviting, setInviting] = useState(false);
  const { state, reload } = useFresh(() => loadPeople(isAdmin), ['people'], String(isAdmin));
  const about = isAdmin
    ? 'Everybody who can sign in. What somebody reads is decided in each Hub.'
    : 'Everybody who can sign in. Admins invite people and change roles.';
  return (
    <div class="settings-in">
      <PageHead title="Members" about={about}>
        {isAdmin && (
          <button class="btn is-main" type="button" onClick={() => setInviting(true)}>
            <Plus /> Invite somebody
          </button>
        )}
      </PageHead>
      {state.status === 'loading' && <Loading />}
      {state.status === 'failed' && <Trouble words={state.words} onAgain={reload} />}
      {state.status === 'ready' && <People {...state.value} onChanged={reload} />}
      {isInviting && <InviteDialog onInvited={reload} onClose={() => setInviting(false)} />}
    </div>
  );
}

function People({ people, invitations, onChanged }: PeopleOfWorkspace & { onChanged: () => Promise<void> }) {
  const [words, setWords] = useState('');
  const [areDisabledShown, setDisabledShown] = useState(false);
  const disabled = people.filter(({ disabledAt }) => disabledAt !== null).length;
  const shown = shownPeople(people, { words, areDisabledShown });
  return (
    <>
      <div class="filters" role="group" aria-label="Filters">
        <input
          class="find"
          type="search"
          aria-label="Find by name or e-mail"
          placeholder="Find by name or e-mail"
          autocomplete="off"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        {disabled > 0 && (
          <button
            class="pill"
            type="button"
            aria-pressed={areDisabledShown}
            onClick={() => setDisabledShown(!areDisabledShown)}
          >
            With disabled <span class="num">{disabled}</span>
          </button>
        )}
      </div>
      <p class="sr" role="status">
        {words.trim() !== '' && `${shown.length} found`}
      </p>
      {shown.length === 0 && (
        <NobodyFound words={words} isMore={disabled > 0 && !areDisabledShown} onAll={() => setDisabledShown(true)} />
      )}
      <PeopleTable people={shown} all={people} onChanged={onChanged} />
      <InvitationsSection invitations={invitations} onChanged={onChanged} />
    </>
  );
}

function NobodyFound({ words, isMore, onAll }: { words: string; isMore: boolean; onAll: () => void }) {
  return (
    <div class="empty">
      <p>Nobody here has “{words.trim()}” in name or e-mail.</p>
      {isMore && (
        <button class="btn" type="button" onClick={onAll}>
          Look among the disabled
        </button>
      )}
    </div>
  );
}
