import type { AuditEntry } from '@hub/contract';
import { dayAndTime, LOCALE } from '../../time/format.ts';
import { scopeText } from '../issue-key/key-scopes.ts';
import { changedSettings, dated, text, texts } from './audit-details.ts';

/** A name in a sentence; `to` is the page it links to. */
export interface Named {
  name: string;
  to?: string;
}

/** A sentence as a list of plain strings and names. */
export type ActionText = readonly (string | Named)[];

interface Action {
  /** The label in the filter. */
  label: string;
  /** Describes an entry: "Rotated deploy-pipeline". */
  describe: (entry: AuditEntry) => ActionText;
  /** The preposition before the name of the Hub; " in" by default. */
  hubPreposition?: (entry: AuditEntry) => string;
}

/** All actions of the audit log, grouped by subject. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  'key.issued': {
    label: 'Key issued',
    describe: (entry) => {
      const scopes = texts(entry, 'scopes') as Parameters<typeof scopeText>[0];
      return ['Issued ', key(entry), ` for ${scopeText(scopes)}`, endOf(entry)];
    },
  },
  'key.rotated': {
    label: 'Key rotated',
    describe: (entry) => [
      'Rotated ',
      key(entry),
      dated(entry, 'overlapEndsAt', '; the previous key stops working on '),
    ],
  },
  'key.replaced': {
    label: 'Key replaced',
    describe: (entry) => ['Replaced ', key(entry), '; the previous key stopped working immediately'],
  },
  'key.revoked': {
    label: 'Key revoked',
    // A key with a successor was being rotated, so the program continues with the successor.
    describe: (entry) => [entry.details.successorId === undefined ? 'Revoked ' : 'Revoked the old key of ', key(entry)],
  },
  'key.blocked': {
    label: 'Key blocked',
    describe: (entry) => ['Blocked ', key(entry), dated(entry, 'until', ' until '), ': over 60 requests in 60 s'],
  },
  'posts.removed': {
    label: 'Key’s posts removed',
    describe: (entry) => ['Removed ', posts(entry), ' by ', key(entry)],
  },
  'posts.restored': {
    label: 'Key’s posts restored',
    describe: (entry) => ['Restored ', posts(entry), ' by ', key(entry)],
  },
  'hub.created': { label: 'Hub created', describe: (entry) => ['Created the Hub ', hub(entry)] },
  'hub.renamed': {
    label: 'Hub renamed',
    describe: (entry) => ['Renamed the Hub ', { name: text(entry, 'from') }, ' to ', hub(entry, text(entry, 'to'))],
  },
  'hub.changed': {
    label: 'Hub retention changed',
    describe: (entry) => {
      const days = entry.details.retentionDays;
      const kept = typeof days === 'number' ? `kept for ${days} days` : 'kept forever';
      return ['Changed the Hub ', hub(entry), `: items are ${kept}`];
    },
  },
  'hub.deleted': { label: 'Hub deleted', describe: (entry) => ['Deleted the Hub ', { name: nameOf(entry) }] },
  'hub.restored': { label: 'Hub restored', describe: (entry) => ['Restored the Hub ', hub(entry)] },
  'hub.exported': { label: 'Hub exported', describe: (entry) => ['Exported the Hub ', hub(entry)] },
  'member.added': {
    label: 'Member added',
    describe: (entry) => ['Added ', user(entry), by(entry, 'invitedBy')],
    hubPreposition: () => ' to',
  },
  'member.removed': {
    label: 'Member removed',
    describe: (entry) => (isAboutActor(entry) ? ['Left'] : ['Removed ', user(entry)]),
    hubPreposition: (entry) => (isAboutActor(entry) ? '' : ' from'),
  },
  'item.edited': {
    label: 'Someone else’s message edited',
    describe: (entry) => ['Edited a message by ', { name: text(entry, 'author') }],
  },
  'item.deleted': {
    label: 'Message, note or to-do deleted',
    describe: (entry) => [`Deleted a ${text(entry, 'kind') === 'todo' ? 'to-do' : text(entry, 'kind')}`],
  },
  'person.created': {
    label: 'Account created',
    describe: (entry) => [
      'Created an account for ',
      user(entry),
      ` (${text(entry, 'email')}, ${text(entry, 'role')})`,
      by(entry, 'invitedBy'),
    ],
  },
  'person.changed': {
    label: 'Account changed',
    describe: (entry) => ['Changed the account of ', user(entry), ...changedSettings(entry)],
  },
  'person.disabled': { label: 'Account disabled', describe: (entry) => ['Disabled the account of ', user(entry)] },
  'person.enabled': { label: 'Account enabled', describe: (entry) => ['Enabled the account of ', user(entry)] },
  'person.invited': {
    label: 'Member invited',
    describe: (entry) => ['Invited ', { name: nameOf(entry) }, ` as ${text(entry, 'role')}`],
  },
  'invitation.withdrawn': { label: 'Invitation withdrawn', describe: () => ['Withdrew an invitation'] },
  'password.changed': { label: 'Password changed', describe: () => ['Changed their password'] },
  'password.reset_link': {
    label: 'Password-reset link created',
    describe: (entry) => ['Created a password-reset link for ', user(entry)],
  },
  'password.reset': {
    label: 'Password reset',
    describe: (entry) => ['Set a new password with a link', by(entry, 'linkBy', ' created by ')],
  },
  'session.started': { label: 'Signed in', describe: () => ['Signed in'] },
  'session.ended': { label: 'Signed out', describe: () => ['Ended a session'] },
  'token.created': {
    label: 'Access token created',
    describe: (entry) => ['Created the access token ', { name: nameOf(entry) }, endOf(entry)],
  },
  'token.revoked': { label: 'Access token revoked', describe: () => ['Revoked an access token'] },
  'workspace.changed': {
    label: 'Workspace changed',
    describe: (entry) => ['Changed the workspace', ...changedSettings(entry)],
  },
  'workspace.set_up': { label: 'Workspace set up', describe: () => ['Set up the workspace and became its owner'] },
  'workspace.backed_up': { label: 'Backup taken', describe: () => ['Took a backup'] },
  'workspace.restored': {
    label: 'Backup restored',
    describe: (entry) => ['Restored a backup', dated(entry, 'takenAt', ' from ')],
  },
  'link.created': { label: 'Setup link created', describe: () => ['Created a setup link'] },
};

/**
 * Returns an entry as a sentence without its subject, the actor. The Hub comes after the target. Actions from a newer
 * server are shown by name.
 */
export function actionText(entry: AuditEntry, hubName?: string): ActionText {
  const action = ACTIONS[entry.action];
  if (!action) return [entry.action, ...(entry.targetName === null ? [] : [': ', { name: entry.targetName }])];
  const pieces = action.describe(entry).filter((piece) => piece !== '');
  if (hubName === undefined) return pieces;
  const named = pieces.findIndex((piece) => typeof piece !== 'string');
  return pieces.toSpliced(
    named === -1 ? pieces.length : named + 1,
    0,
    `${action.hubPreposition?.(entry) ?? ' in'} ${hubName}`,
  );
}

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
  if (typeof count !== 'number') return 'posts';
  return count === 1 ? '1 post' : `${count.toLocaleString(LOCALE)} posts`;
}

function by({ details }: AuditEntry, detail: string, before = ', invited by '): string {
  const actor = details[detail] as { name?: unknown } | undefined;
  return typeof actor?.name === 'string' ? `${before}${actor.name}` : '';
}

function endOf({ details: { expiresAt } }: AuditEntry): string {
  return typeof expiresAt === 'string' ? `, valid until ${dayAndTime(expiresAt)}` : ', with no expiry';
}
