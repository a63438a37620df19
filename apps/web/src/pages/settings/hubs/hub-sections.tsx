import type { Hub, Member, UserRef } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { membersOf } from '../../../data/members/members.ts';
import { errorMessage, request } from '../../../data/request.ts';
import { countOf } from '../../../lib/count-text.ts';
import { navigate } from '../../../lib/router/location.ts';
import { LOCALE } from '../../../lib/time/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Options } from '../../../ui/forms/choices.tsx';
import { ConfirmDialog, useConfirm } from '../../../ui/forms/confirm.tsx';
import { Problem, useSubmit, useTask } from '../../../ui/forms/form.tsx';
import { Loaded, Section } from '../../../ui/forms/page-body.tsx';
import { RowButton } from '../../../ui/forms/table.tsx';
import { AddMember, addMember, MemberRow, usersToAdd } from '../../../ui/members/add-member.tsx';
import { toast } from '../../../ui/toast.tsx';
import { isShorter, retentionText } from '../settings-texts.ts';

/** Members of a Hub. Admins add and remove members; every member can leave. */
export function HubMembersSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { me, hubs } = useWorkspace();
  const isAdmin = me.value.role !== 'member';
  const { state, reload } = useResource((signal) => loadMembers(hub.id, isAdmin, signal), {
    key: hub.id,
    topics: ['hubs', 'users'],
  });
  const { ask, dialog } = useConfirm();
  const [failure, setError] = useState('');
  const changed = async () => {
    await Promise.all([reload(), onChanged(), hubs.load()]);
  };
  const remove = ({ id, name }: Member) => {
    const isMe = id === me.peek().id;
    const wayBack = isAdmin ? 'You can add yourself again.' : 'An admin can add you again.';
    ask({
      title: isMe ? `Leave ${hub.name}?` : `Remove ${name} from ${hub.name}?`,
      description: isMe
        ? `You lose access immediately. Your to-dos stay assigned to you. ${wayBack}`
        : `${name} loses access immediately. Their to-dos stay assigned and their keys keep working. You can add them again.`,
      submitLabel: isMe ? 'Leave Hub' : 'Remove member',
      isDestructive: true,
      onAct: async () => {
        await request('DELETE /hubs/{hubId}/members/{userId}', { hubId: hub.id, userId: id });
        // A member who has left can no longer load anything from this Hub, so the page closes first.
        if (isMe && !isAdmin) navigate('/settings/hubs');
        await (isMe && !isAdmin ? Promise.all([onChanged(), hubs.load()]) : changed());
        toast(isMe ? `You left ${hub.name}.` : `${name} removed from ${hub.name}.`);
      },
    });
  };
  const add = async ({ id, name }: UserRef) => {
    setError('');
    try {
      await addMember(hub.id, id);
      await changed();
      toast(id === me.peek().id ? `You joined ${hub.name}.` : `${name} added to ${hub.name}.`);
    } catch (error) {
      setError(`Couldn’t add ${name}. ${errorMessage(error)}`);
    }
  };
  return (
    <>
      <Section
        id="hub-members"
        title={<>Members {state.status === 'ready' && <span class="num">{state.value.members.length}</span>}</>}
      >
        {isAdmin && !hub.isMember && <JoinBanner hub={hub} onJoin={() => add(me.peek())} />}
        <Loaded state={state} onRetry={reload}>
          {({ members, others }) => (
            <>
              <ul class="sessions">
                {members.map((member) => (
                  <HubMemberRow key={member.id} member={member} onRemove={() => remove(member)} />
                ))}
              </ul>
              {members.length === 0 && <p>No members yet, so nobody can read this Hub.</p>}
              {isAdmin && <AddMember users={others} onAdd={add} />}
            </>
          )}
        </Loaded>
        <Problem text={failure} />
      </Section>
      {dialog}
    </>
  );
}

async function loadMembers(hubId: string, isAdmin: boolean, signal: AbortSignal) {
  const members = await membersOf(hubId, signal);
  return { members, others: isAdmin ? await usersToAdd(members) : [] };
}

function JoinBanner({ hub, onJoin }: { hub: Hub; onJoin: () => Promise<void> }) {
  const { run, isBusy } = useTask();
  return (
    <div class="banner">
      <div class="grow">
        You manage this Hub but aren’t a member. If you add yourself, members and the audit log will show it.
        <p class="actions">
          <Button
            variant="is-small"
            label={`Add me to ${hub.name}`}
            aria-disabled={isBusy}
            onClick={() => void run(onJoin)}
          />
        </p>
      </div>
    </div>
  );
}

function HubMemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const me = useWorkspace().me.value;
  const isMe = member.id === me.id;
  return (
    <MemberRow member={member}>
      {(isMe || me.role !== 'member') && (
        <RowButton label={isMe ? 'Leave this Hub' : `Remove ${member.name}`} onClick={onRemove}>
          {isMe ? 'Leave' : 'Remove'}
        </RowButton>
      )}
    </MemberRow>
  );
}

const MAX_DAYS = 36_500;
const USUAL_DAYS = 90;

export function RetentionSection({ hub, onChanged }: { hub: Hub; onChanged: () => Promise<void> }) {
  const { retentionDays } = hub;
  // Fields that the user has not changed show what another admin sets.
  const [chosenForever, setForever] = useState<boolean | null>(null);
  const [daysText, setDaysText] = useState<string | null>(null);
  const isForever = chosenForever ?? retentionDays === null;
  const days = daysText ?? String(retentionDays ?? USUAL_DAYS);
  const isSame = isForever ? retentionDays === null : Number(days) === retentionDays;
  const [shortened, setShortened] = useState<number | null>(null);
  const set = async (next: number | null) => {
    await request('PATCH /hubs/{hubId}', { hubId: hub.id, body: { retentionDays: next } });
    await onChanged();
    setForever(null);
    setDaysText(null);
    toast(`Items are now kept ${retentionText(next)}.`);
  };
  const { submit, isBusy, error } = useSubmit(async () => {
    const next = isForever ? null : readDays(days);
    if (next !== null && isShorter(next, retentionDays)) setShortened(next);
    else await set(next);
  });
  return (
    <>
      <Section id="hub-retention" title="How long to keep items">
        <form onSubmit={submit} noValidate>
          <Options
            legend="How long to keep items"
            isLegendHidden
            options={[
              { value: true, label: 'Forever' },
              { value: false, label: 'For a number of days, then delete permanently' },
            ]}
            chosen={isForever}
            onChoose={setForever}
          />
          {!isForever && (
            <div class="field is-days">
              <label for="hub-days">Days</label>
              <input
                id="hub-days"
                inputMode="numeric"
                autocomplete="off"
                value={days}
                aria-invalid={error !== ''}
                aria-describedby="hub-days-error"
                onInput={({ currentTarget }) => setDaysText(currentTarget.value)}
              />
            </div>
          )}
          <Problem id="hub-days-error" text={error} />
          <Button label="Save" type="submit" disabled={isSame} aria-disabled={isBusy} />
        </form>
      </Section>
      {shortened !== null && (
        <ShortenDialog hub={hub} days={shortened} onSet={() => set(shortened)} onClose={() => setShortened(null)} />
      )}
    </>
  );
}

function readDays(text: string): number {
  const days = Number(text.trim());
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new Error(`Enter a whole number of days from 1 to ${MAX_DAYS.toLocaleString(LOCALE)}.`);
}

/** The server does not count beyond this number. */
const COUNTED = 1_000;

/** Confirms a shorter retention period: shows how many items will be deleted and asks for the Hub's name. */
function ShortenDialog(props: { hub: Hub; days: number; onSet: () => Promise<void>; onClose: () => void }) {
  const {
    hub: { id, name },
    days,
    onSet,
    onClose,
  } = props;
  const { state, value } = useResource(
    (signal) => request('GET /hubs/{hubId}/retention-preview', { hubId: id, query: { retentionDays: days }, signal }),
    { key: `${id} ${days}`, topics: [] },
  );
  const items = value?.items ?? null;
  return (
    <ConfirmDialog
      title={`Keep items in ${name} ${retentionText(days)}?`}
      description="Older items are permanently deleted within the hour, and others once they reach this age. This can’t be undone; export the Hub first to keep a copy."
      submitLabel={items === 0 ? 'Save retention' : 'Delete older items'}
      isDestructive={items !== 0}
      {...(items === 0 ? {} : { typed: { word: name, label: 'Type the Hub’s name to confirm' } })}
      onAct={onSet}
      onClose={onClose}
    >
      <p role="status">
        {items !== null && <b>{textFor(items)}</b>}
        {state.status === 'loading' && 'Counting older items…'}
        {state.status === 'failed' && `Couldn’t count the older items. ${state.text}`}
      </p>
    </ConfirmDialog>
  );
}

function textFor(items: number): string {
  if (items === 0) return 'No items are that old yet.';
  const count = items >= COUNTED ? `${COUNTED.toLocaleString(LOCALE)} or more items` : countOf(items, 'item');
  return `${count} will be deleted now, with ${items === 1 ? 'its' : 'their'} replies.`;
}
