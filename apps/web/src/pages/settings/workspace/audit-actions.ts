import type { AuditAction, AuditEntry } from '@hub/contract';
import { countText } from '../../../lib/count-text.ts';
import { dayAndTime } from '../../../lib/time/dates.ts';
import { scopeText } from '../keys/key-state.ts';

/** A name in a sentence; `to` is the page it links to. */
interface Named {
  name: string;
  to?: string;
}

/** A sentence as a list of plain strings and names. */
type ActionText = readonly (string | Named)[];

interface Action {
  label: string;
  /** Describes an entry: "Rotated deploy-pipeline". */
  describe: (entry: AuditEntry) => ActionText;
  /** The preposition before the name of the Hub. */
  hubPreposition: (entry: AuditEntry) => string;
}

function action(
  label: string,
  describe: Action['describe'],
  hubPreposition: Action['hubPreposition'] = () => ' in',
): Action {
  return { label, describe, hubPreposition };
}

/** All actions of the audit log, grouped by subject. */
export const ACTIONS: Readonly<Record<AuditAction, Action>> = {
  'key.issued': action('Key issued', (entry) => {
    const scopes = texts(entry, 'scopes') as Parameters<typeof scopeText>[0];
    return line`Issued ${key(entry)} for ${scopeText(scopes)}${endOf(entry)}`;
  }),
  'key.changed': action('Key changed', (entry) => line`Changed ${key(entry)}`),
  'key.rotated': action('Key rotated', (entry) => {
    return line`Rotated ${key(entry)}${dated(entry, 'overlapEndsAt', '; the old key expires on ')}`;
  }),
  'key.replaced': action('Key replaced', (entry) => {
    return line`Replaced ${key(entry)}; the old key stopped working immediately`;
  }),
  // A key with a successor was being rotated, so the program continues with the successor.
  'key.revoked': action('Key revoked', (entry) => {
    return line`Revoked ${entry.details.successorId === undefined ? '' : 'the old key of '}${key(entry)}`;
  }),
  'key.blocked': action('Key blocked', (entry) => {
    return line`Blocked ${key(entry)}${dated(entry, 'until', ' until ')}: over 60 requests in 60 s`;
  }),
  'posts.removed': action('Key’s posts removed', (entry) => line`Removed ${posts(entry)} by ${key(entry)}`),
  'posts.restored': action('Key’s posts restored', (entry) => line`Restored ${posts(entry)} by ${key(entry)}`),
  'hub.created': action('Hub created', (entry) => line`Created the Hub ${hub(entry)}`),
  'hub.renamed': action('Hub renamed', (entry) => {
    return line`Renamed the Hub ${{ name: text(entry, 'from') }} to ${hub(entry, text(entry, 'to'))}`;
  }),
  'hub.changed': action('Hub changed', (entry) => {
    const { topic } = entry.details;
    if (topic !== undefined) return line`Changed the topic of the Hub ${hub(entry)}`;
    const days = entry.details.retentionDays;
    const period = typeof days === 'number' ? `kept for ${countText(days, 'day')}` : 'kept forever';
    return line`Changed the Hub ${hub(entry)}: items are ${period}`;
  }),
  'hub.deleted': action('Hub deleted', (entry) => line`Deleted the Hub ${{ name: nameOf(entry) }}`),
  'hub.restored': action('Hub restored', (entry) => line`Restored the Hub ${hub(entry)}`),
  'hub.exported': action('Hub exported', (entry) => line`Exported the Hub ${hub(entry)}`),
  'member.added': action(
    'Member added',
    (entry) => line`Added ${user(entry)}${by(entry, 'invitedBy')}`,
    () => ' to',
  ),
  'member.removed': action(
    'Member removed',
    (entry) => (isAboutActor(entry) ? ['Left'] : line`Removed ${user(entry)}`),
    (entry) => (isAboutActor(entry) ? '' : ' from'),
  ),
  'item.deleted': action('Message, note or to-do deleted', (entry) => [
    `Deleted a ${text(entry, 'kind') === 'todo' ? 'to-do' : text(entry, 'kind')}`,
  ]),
  'item.restored': action('Message, note or to-do restored', (entry) => [
    `Restored a ${text(entry, 'kind') === 'todo' ? 'to-do' : text(entry, 'kind')}`,
  ]),
  'file.removed': action('File removed', (entry) => line`Removed the file ${{ name: nameOf(entry) }}`),
  'user.created': action('Account created', (entry) => {
    const account = `${text(entry, 'email')}, ${text(entry, 'role')}`;
    return line`Created an account for ${user(entry)} (${account})${by(entry, 'invitedBy')}`;
  }),
  'user.changed': action('Account changed', (entry) => {
    return line`Changed the account of ${user(entry)}${changedSettings(entry)}`;
  }),
  'user.disabled': action('Account disabled', (entry) => line`Disabled the account of ${user(entry)}`),
  'user.signed_out': action('Signed out everywhere', (entry) => {
    return line`Ended all sessions and access tokens of ${user(entry)}`;
  }),
  'user.enabled': action('Account enabled', (entry) => line`Enabled the account of ${user(entry)}`),
  'user.invited': action(
    'Member invited',
    (entry) => line`Invited ${{ name: nameOf(entry) }} as ${text(entry, 'role')}`,
  ),
  'invitation.withdrawn': action('Invitation withdrawn', () => ['Withdrew an invitation']),
  'password.changed': action('Password changed', (entry) => ['Changed their password', tokensRevoked(entry)]),
  'password.reset_link': action('Password-reset link created', (entry) => {
    return line`Created a password-reset link for ${user(entry)}`;
  }),
  'password.reset': action('Password reset', (entry) => {
    return line`Set a new password with a link${by(entry, 'linkBy', ' created by ')}${tokensRevoked(entry)}`;
  }),
  'identity.linked': action('Sign-in with the provider linked', (entry) => {
    return line`Linked ${user(entry)} to an account at the provider`;
  }),
  'factor.added': action('Second factor added', (entry) => line`Added the second factor ${{ name: nameOf(entry) }}`),
  'factor.removed': action(
    'Second factor removed',
    (entry) => line`Removed the second factor ${{ name: nameOf(entry) }}`,
  ),
  'factors.reset': action('Second factors reset', (entry) => line`Removed the second factors of ${user(entry)}`),
  'recovery_codes.created': action('Recovery codes created', () => ['Created new recovery codes']),
  'session.started': action('Signed in', () => ['Signed in']),
  'session.ended': action('Signed out', () => ['Ended a session']),
  'token.created': action('Access token created', (entry) => {
    return line`Created the access token ${{ name: nameOf(entry) }}${endOf(entry)}`;
  }),
  'token.revoked': action('Access token revoked', () => ['Revoked an access token']),
  'workspace.changed': action('Workspace changed', (entry) => line`Changed the workspace${changedSettings(entry)}`),
  'workspace.set_up': action('Workspace set up', () => ['Set up the workspace and became its owner']),
  'workspace.backed_up': action('Backup taken', () => ['Took a backup']),
  'workspace.restored': action(
    'Backup restored',
    (entry) => line`Restored a backup${dated(entry, 'takenAt', ' from ')}`,
  ),
  'link.created': action('Setup link created', () => ['Created a setup link']),
};

/**
 * Returns an entry as a sentence without its subject, the actor. The Hub comes after the target. Actions from a newer
 * server are shown by name.
 */
export function actionText(entry: AuditEntry, hubName?: string): ActionText {
  // A newer server may have more actions.
  const text = (ACTIONS as Partial<Record<string, Action>>)[entry.action];
  if (!text) return [entry.action, ...(entry.targetName === null ? [] : [': ', { name: entry.targetName }])];
  const pieces = text.describe(entry).filter((piece) => piece !== '');
  if (hubName === undefined) return pieces;
  const at = pieces.findIndex((piece) => typeof piece !== 'string');
  return pieces.toSpliced(at === -1 ? pieces.length : at + 1, 0, `${text.hubPreposition(entry)} ${hubName}`);
}

/** Template tag for an `ActionText`. */
function line(strings: readonly string[], ...pieces: readonly (string | Named)[]): ActionText {
  return strings.flatMap((text, n) => [text, pieces[n] ?? '']);
}

const tokensRevoked = ({ details }: AuditEntry): string =>
  details.tokensRevoked === true ? ' and revoked all access tokens' : '';

const nameOf = ({ targetName, targetId }: AuditEntry): string => targetName ?? targetId ?? '';

function isAboutActor({ actor, targetId }: AuditEntry): boolean {
  return actor.id === targetId;
}

function key(entry: AuditEntry): Named {
  return { name: nameOf(entry), to: `/settings/keys?hub=${entry.hubId}&key=${entry.targetId}` };
}

function hub(entry: AuditEntry, name = nameOf(entry)): Named {
  return { name, to: `/hubs/${entry.targetId}` };
}

function user(entry: AuditEntry): Named {
  return { name: nameOf(entry), to: '/settings/members' };
}

function posts({ details: { count } }: AuditEntry): string {
  return typeof count === 'number' ? countText(count, 'post') : 'posts';
}

function by({ details }: AuditEntry, detail: string, before = ', invited by '): string {
  const actor = details[detail] as { name?: unknown } | undefined;
  return typeof actor?.name === 'string' ? `${before}${actor.name}` : '';
}

function endOf({ details: { expiresAt } }: AuditEntry): string {
  return typeof expiresAt === 'string' ? `, valid until ${dayAndTime(expiresAt)}` : ', with no expiry';
}

/** Returns a detail that is text; empty if an older server did not record it. */
function text({ details }: AuditEntry, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value : '';
}

function texts({ details }: AuditEntry, name: string): string[] {
  const value = details[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Formats an instant from the details, preceded by `before`; empty if there is none. */
function dated(entry: AuditEntry, name: string, before: string): string {
  const at = text(entry, name);
  return at === '' ? '' : `${before}${dayAndTime(at)}`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  name: 'the name',
  botName: 'the bot name',
  email: 'the e-mail address',
  role: 'the role',
  membersManageKeys: 'who can manage keys',
  longestKeyLifetimeDays: 'the maximum key lifetime',
};

/** Describes changed settings: ": the name from Hub to Workshop". */
function changedSettings({ details: { from, to } }: AuditEntry): string {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const changes = Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) =>
      name === 'avatar'
        ? 'the bot avatar'
        : `${SETTINGS[name] ?? name} from ${valueText(name, before[name])} to ${valueText(name, after[name])}`,
    );
  return changes.length === 0 ? '' : `: ${changes.join(', ')}`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function valueText(name: string, value: unknown): string {
  if (name === 'membersManageKeys') return value === true ? 'members and admins' : 'admins only';
  if (name === 'longestKeyLifetimeDays') return typeof value === 'number' ? countText(value, 'day') : 'no limit';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'another value';
}
