import type { Me, Role } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { renewSession } from '../../../data/session/session.ts';
import { areShortcutsOn, setShortcutsOn } from '../../../lib/keyboard/shortcuts.ts';
import { chooseTheme, THEMES, type Theme, theme } from '../../../lib/theme/theme.ts';
import { dayAndYear, zoneText } from '../../../lib/time/dates.ts';
import { now } from '../../../lib/time/format.ts';
import { hasScreenKeyboard } from '../../../lib/widths.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, Switch } from '../../../ui/forms/choices.tsx';
import { NameForm, useSubmit, useText } from '../../../ui/forms/form.tsx';
import { PageBody, ProfileFact, Section } from '../../../ui/forms/page-body.tsx';
import { PasswordField, UsernameHint } from '../../../ui/forms/password.tsx';
import { shortPasswordProblem } from '../../../ui/forms/text-problem.ts';
import { areRepeatsCollapsed, setRepeatsCollapsed } from '../../../ui/items/repeats.tsx';
import { toast } from '../../../ui/toast.tsx';
import { isOnlyOwner, loadMembers } from '../members/users-list.ts';
import { OwnAvatarField } from './avatar-field.tsx';
import { FactorsSection } from './factors-section.tsx';

export function ProfilePage() {
  const { me, items } = useWorkspace();
  const rename = async (name: string) => {
    me.value = await request('PATCH /me', { body: { name } });
    items.rename({ id: me.value.id, name: me.value.name });
    toast('Name saved.');
  };
  return (
    <PageBody title="Profile and password" variant="is-own">
      <Section id="own-name" title="Profile">
        <OwnAvatarField />
        <NameForm
          id="name"
          label="Name"
          help="Shown to others and used to mention you."
          autocomplete="name"
          maxLength={LIMITS.userNameCodePoints}
          saved={me.value.name}
          missing="Enter your name."
          submitLabel="Save name"
          onSave={rename}
        />
      </Section>
      <EmailSection />
      <FactsSection />
      <PasswordSection />
      <FactorsSection />
    </PageBody>
  );
}

/** The address with which the user signs in. If the server sends mail, the new one has to be confirmed. */
function EmailSection() {
  const { me } = useWorkspace();
  const [pending, setPending] = useState<string | null>(null);
  const change = async (address: string) => {
    const changed = await request('PUT /me/email', { body: { email: address } });
    me.value = { ...me.value, email: changed.email };
    setPending(changed.pending);
    toast(changed.pending === null ? 'E-mail address saved.' : `Link sent to ${changed.pending}.`);
  };
  return (
    <Section id="own-email" title="E-mail address">
      <NameForm
        id="own-address"
        label="E-mail"
        type="email"
        help={
          pending === null
            ? 'Used to sign in.'
            : `Open the link that was sent to ${pending} within 24 hours. Until then, sign in with ${me.value.email}.`
        }
        maxLength={LIMITS.emailCodePoints}
        saved={me.value.email}
        missing="Enter your e-mail address."
        submitLabel="Save address"
        onSave={change}
      />
    </Section>
  );
}

const ROLES: Record<Role, string> = {
  owner: 'Owner: you manage the workspace and other owners',
  admin: 'Admin: you manage the workspace',
  member: 'Member',
};

/** Account details that the user cannot change here, and the browser's time zone. */
function FactsSection() {
  const { createdAt, ...user } = useWorkspace().me.value;
  const roleHelp = useRoleHelp(user);
  return (
    <Section id="own-facts" title="Your account">
      <dl class="profile-facts">
        <ProfileFact name="Role" {...(roleHelp !== undefined && { help: roleHelp })}>
          {ROLES[user.role]}
        </ProfileFact>
        <ProfileFact name="Member since">{dayAndYear(createdAt)}</ProfileFact>
        <ProfileFact
          name="Time zone"
          help="From this device. A due date without a time means the end of that day here."
        >
          {zoneText(now.value)}
        </ProfileFact>
      </dl>
    </Section>
  );
}

/** Says who can change the user's role; undefined until that is known. */
function useRoleHelp({ id, role }: Pick<Me, 'id' | 'role'>): string | undefined {
  const load = async (signal: AbortSignal) =>
    role === 'owner' && isOnlyOwner((await loadMembers(false, signal)).users, { id, role });
  const isOnly = useResource(load, { key: role, topics: ['users'] }).value;
  if (role !== 'owner') return 'An admin can change it.';
  if (isOnly === undefined) return undefined;
  return isOnly ? 'Last owner: can’t be changed.' : 'Another owner can change it.';
}

/** Matches errors about the current password, from this form and from the server. */
const ABOUT_CURRENT = /^(?:Enter your|The) current password|^Too many failed attempts|^Another password/;

function PasswordSection() {
  const { email } = useWorkspace().me.value;
  const current = useText();
  const next = useText();
  const [revokeTokens, setRevokeTokens] = useState(true);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (current.value === '') throw new Error('Enter your current password.');
    if (next.value === current.value) throw new Error('That is your current password. Choose another one.');
    const problem = shortPasswordProblem(next.value);
    if (problem !== '') throw new Error(problem);
    if (next.value.trim().toLowerCase() === email)
      throw new Error('Your password can’t be your e-mail address. Choose another one.');
    const body = { currentPassword: current.value, newPassword: next.value, revokeTokens };
    await renewSession(() => request('PUT /me/password', { body }));
    current.onValue('');
    next.onValue('');
    const revoked = revokeTokens ? ', and your access tokens are revoked' : '';
    toast(`Password changed. You’re signed out everywhere else${revoked}.`);
  });
  const isAboutCurrent = ABOUT_CURRENT.test(error);
  const nextError = isAboutCurrent ? '' : error.replace(/^newPassword /, 'The new password ');
  return (
    <Section id="own-password" title="Password">
      <form onSubmit={submit} noValidate>
        <UsernameHint email={email} />
        <PasswordField
          id="current"
          label="Current password"
          error={isAboutCurrent ? error : ''}
          noun="current password"
          autocomplete="current-password"
          {...current}
        />
        <PasswordField
          id="next"
          label="New password"
          error={nextError}
          help={`At least ${LIMITS.passwordMinCodePoints} characters. This signs you out of all other browsers.`}
          noun="new password"
          autocomplete="new-password"
          {...next}
        />
        <Checkbox isOn={revokeTokens} onChange={setRevokeTokens}>
          Also revoke all my access tokens; programs using them get 401
        </Checkbox>
        <Button label="Change password" type="submit" aria-disabled={isBusy} />
      </form>
    </Section>
  );
}

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function AppearancePage() {
  return (
    <PageBody title="Appearance" variant="is-own">
      <Section id="own-theme" title="In this browser">
        <div class="field">
          <span class="label" id="theme">
            Theme
          </span>
          <div class="segment" role="group" aria-labelledby="theme">
            {THEMES.map((each) => (
              <button key={each} type="button" aria-pressed={theme.value === each} onClick={() => chooseTheme(each)}>
                {LABELS[each]}
              </button>
            ))}
          </div>
        </div>
        <Switch
          label="Collapse repeats"
          help="Shows one row for messages of a key that differ only in numbers and times."
          isOn={areRepeatsCollapsed.value}
          onChange={setRepeatsCollapsed}
        />
        {!hasScreenKeyboard() && (
          <Switch
            label="Single-key shortcuts"
            help={
              <>
                Such as <kbd>j</kbd> and <kbd>k</kbd>; <kbd>?</kbd> shows all. Turn them off if you use voice control.
              </>
            }
            isOn={areShortcutsOn.value}
            onChange={setShortcutsOn}
          />
        )}
      </Section>
    </PageBody>
  );
}
