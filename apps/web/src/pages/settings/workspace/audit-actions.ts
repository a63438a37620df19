import type { ApiKey, AuditAction, AuditEntry } from '@hub/contract';
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

/** The label of an action, and its sentence, in which `PARTS` replace the names in braces. */
type Action = readonly [label: string, sentence: string];

/** All actions of the audit log, grouped by subject. */
export const ACTIONS: Readonly<Record<AuditAction, Action>> = {
  'key.issued': ['Key issued', 'Issued {key} for {scopes}{end}'],
  'key.changed': ['Key changed', 'Changed {key}'],
  'key.rotated': ['Key rotated', 'Rotated {key}{overlapEndsAt}'],
  'key.replaced': ['Key replaced', 'Replaced {key}; the old key stopped working immediately'],
  'key.revoked': ['Key revoked', 'Revoked {ofOld}{key}'],
  'key.blocked': ['Key blocked', 'Blocked {key}{until}: over 60 requests in 60 s'],
  'posts.removed': ['Key’s posts removed', 'Removed {posts} by {key}'],
  'posts.restored': ['Key’s posts restored', 'Restored {posts} by {key}'],
  'hub.created': ['Hub created', 'Created the Hub {hub}'],
  'hub.renamed': ['Hub renamed', 'Renamed the Hub {oldName} to {hub}'],
  'hub.changed': ['Hub changed', 'Changed the {topicOf}Hub {hub}{retention}'],
  'hub.deleted': ['Hub deleted', 'Deleted the Hub {name}'],
  'hub.restored': ['Hub restored', 'Restored the Hub {hub}'],
  'hub.exported': ['Hub exported', 'Exported the Hub {hub}'],
  'member.added': ['Member added', 'Added {user}{invitedBy}'],
  'member.removed': ['Member removed', 'Removed {user}'],
  'item.deleted': ['Message, note or to-do deleted', 'Deleted a {kind}'],
  'item.restored': ['Message, note or to-do restored', 'Restored a {kind}'],
  'file.removed': ['File removed', 'Removed the file {name}'],
  'user.created': ['Account created', 'Created an account for {user} ({account}){invitedBy}'],
  'user.changed': ['Account changed', 'Changed the account of {user}{changes}'],
  'user.disabled': ['Account disabled', 'Disabled the account of {user}'],
  'user.signed_out': ['Signed out everywhere', 'Ended all sessions and access tokens of {user}'],
  'user.enabled': ['Account enabled', 'Enabled the account of {user}'],
  'user.invited': ['Member invited', 'Invited {name} as {role}'],
  'invitation.withdrawn': ['Invitation withdrawn', 'Withdrew an invitation'],
  'password.changed': ['Password changed', 'Changed their password{tokensRevoked}'],
  'password.reset_link': ['Password-reset link created', 'Created a password-reset link for {user}'],
  'password.reset': ['Password reset', 'Set a new password with a link{linkBy}{tokensRevoked}'],
  'identity.linked': ['Sign-in with the provider linked', 'Linked {user} to an account at the provider'],
  'factor.added': ['Second factor added', 'Added the second factor {name}'],
  'factor.removed': ['Second factor removed', 'Removed the second factor {name}'],
  'factors.reset': ['Second factors reset', 'Removed the second factors of {user}'],
  'recovery_codes.created': ['Recovery codes created', 'Created new recovery codes'],
  'session.started': ['Signed in', 'Signed in'],
  'session.ended': ['Signed out', 'Ended a session'],
  'token.created': ['Access token created', 'Created the access token {name}{end}'],
  'token.revoked': ['Access token revoked', 'Revoked an access token'],
  'workspace.changed': ['Workspace changed', 'Changed the workspace{changes}'],
  'workspace.set_up': ['Workspace set up', 'Set up the workspace and became its owner'],
  'workspace.backed_up': ['Backup taken', 'Took a backup'],
  'workspace.restored': ['Backup restored', 'Restored a backup{takenAt}'],
  'link.created': ['Setup link created', 'Created a setup link'],
};

const nameOf = ({ targetName, targetId }: AuditEntry): string => targetName ?? targetId ?? '';

/** The parts of sentences. Texts are empty if an older server did not record the detail. */
const PARTS: Readonly<Record<string, (entry: AuditEntry) => string | Named>> = {
  name: (entry) => ({ name: nameOf(entry) }),
  key: (entry) => ({ name: nameOf(entry), to: `/settings/keys?hub=${entry.hubId}&key=${entry.targetId}` }),
  hub: (entry) => ({ name: text(entry, 'to') || nameOf(entry), to: `/hubs/${entry.targetId}` }),
  user: (entry) => ({ name: nameOf(entry), to: '/settings/members' }),
  oldName: (entry) => ({ name: text(entry, 'from') }),
  role: (entry) => text(entry, 'role'),
  account: (entry) => `${text(entry, 'email')}, ${text(entry, 'role')}`,
  kind: (entry) => (text(entry, 'kind') === 'todo' ? 'to-do' : text(entry, 'kind')),
  posts: ({ details: { count } }) => (typeof count === 'number' ? countText(count, 'post') : 'posts'),
  scopes: ({ details: { scopes } }) => scopeText((Array.isArray(scopes) ? scopes : []) as ApiKey['scopes']),
  // A key with a successor was being rotated, so the program continues with the successor.
  ofOld: ({ details }) => (details.successorId === undefined ? '' : 'the old key of '),
  topicOf: ({ details }) => (details.topic === undefined ? '' : 'topic of the '),
  retention: ({ details: { topic, retentionDays: days } }) => {
    if (topic !== undefined) return '';
    return `: items are ${typeof days === 'number' ? `kept for ${countText(days, 'day')}` : 'kept forever'}`;
  },
  end: (entry) => dated(entry, 'expiresAt', ', valid until ') || ', with no expiry',
  until: (entry) => dated(entry, 'until', ' until '),
  takenAt: (entry) => dated(entry, 'takenAt', ' from '),
  overlapEndsAt: (entry) => dated(entry, 'overlapEndsAt', '; the old key expires on '),
  invitedBy: (entry) => by(entry, 'invitedBy', ', invited by '),
  linkBy: (entry) => by(entry, 'linkBy', ' created by '),
  tokensRevoked: ({ details }) => (details.tokensRevoked === true ? ' and revoked all access tokens' : ''),
  changes: changedSettings,
};

/**
 * Returns an entry as a sentence without its subject, the actor. The Hub comes after the target. Actions from a newer
 * server are shown by name.
 */
export function actionText(entry: AuditEntry, hubName?: string): ActionText {
  const { action, targetId, targetName } = entry;
  const [, sentence] = (ACTIONS as Partial<Record<string, Action>>)[action] ?? [];
  if (sentence === undefined) return [action, ...(targetName === null ? [] : [': ', { name: targetName }])];
  const hasLeft = action === 'member.removed' && entry.actor.id === targetId;
  // Every second piece is the name of a part.
  const pieces = (hasLeft ? 'Left' : sentence)
    .split(/\{(\w+)\}/)
    .map((piece, n) => (n % 2 === 0 ? piece : (PARTS[piece]?.(entry) ?? '')))
    .filter((piece) => piece !== '');
  if (hubName === undefined) return pieces;
  const at = pieces.findIndex((piece) => typeof piece !== 'string');
  const preposition = hasLeft ? '' : (HUB_PREPOSITIONS[action] ?? ' in');
  return pieces.toSpliced(at === -1 ? pieces.length : at + 1, 0, `${preposition} ${hubName}`);
}

const HUB_PREPOSITIONS: Readonly<Record<string, string>> = { 'member.added': ' to', 'member.removed': ' from' };

function by({ details }: AuditEntry, detail: string, before: string): string {
  const { name } = fieldsOf(details[detail]);
  return typeof name === 'string' ? `${before}${name}` : '';
}

function text({ details }: AuditEntry, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value : '';
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
