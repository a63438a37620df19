import type { AuditEntry } from '@hub/contract';
import { dayAndTime, LOCALE } from '../../time/format.ts';
import { scopeText } from '../issue-key/key-scopes.ts';
import { changedSettings, dated, text, texts } from './audit-details.ts';

/** What names a thing in a sentence; with `to`, where it is looked at. */
export interface Named {
  name: string;
  to?: string;
}

/** A sentence in pieces. */
export type ItemText = readonly (string | Named)[];

interface Action {
  /** What a filter calls it. */
  label: string;
  /** What of it happened, as "Rotated deploy-pipeline". */
  say: (entry: AuditEntry) => ItemText;
  /** What stands before the Hub that it concerns, where that is not "in". */
  hubWord?: (entry: AuditEntry) => string;
}

/** Every action that the log knows, by what it is about. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  'key.issued': {
    label: 'Key issued',
    say: (entry) => {
      const scopes = texts(entry, 'scopes') as Parameters<typeof scopeText>[0];
      return ['Issued ', key(entry), ` for ${scopeText(scopes)}`, endOf(entry)];
    },
  },
  'key.rotated': {
    label: 'Key rotated',
    say: (entry) => ['Rotated ', key(entry), dated(entry, 'overlapEndsAt', '; the previous key stops on ')],
  },
  'key.replaced': {
    label: 'Key replaced',
    say: (entry) => ['Replaced ', key(entry), '; the previous key stopped at once'],
  },
  'key.revoked': {
    label: 'Key revoked',
    // What has a successor was in rotation: the program itself goes on.
    say: (entry) => [entry.details.successorId === undefined ? 'Revoked ' : 'Ended the old key of ', key(entry)],
  },
  'key.blocked': {
    label: 'Key blocked',
    say: (entry) => ['Blocked ', key(entry), dated(entry, 'until', ' until '), ': over 60 requests in 60 s'],
  },
  'posts.removed': {
    label: 'Posts of a key removed',
    say: (entry) => ['Removed ', posts(entry), ' of ', key(entry)],
  },
  'posts.restored': {
    label: 'Posts of a key brought back',
    say: (entry) => ['Brought back ', posts(entry), ' of ', key(entry)],
  },
  'hub.created': { label: 'Hub made', say: (entry) => ['Made the Hub ', hub(entry)] },
  'hub.renamed': {
    label: 'Hub renamed',
    say: (entry) => ['Renamed the Hub ', { name: text(entry, 'from') }, ' to ', hub(entry, text(entry, 'to'))],
  },
  'hub.changed': {
    label: 'Retention of a Hub changed',
    say: (entry) => {
      const days = entry.details.retentionDays;
      const kept = typeof days === 'number' ? `keeps its items for ${days} days` : 'keeps its items for ever';
      return ['Changed the Hub ', hub(entry), `: it ${kept}`];
    },
  },
  'hub.deleted': { label: 'Hub deleted', say: (entry) => ['Deleted the Hub ', { name: nameOf(entry) }] },
  'hub.restored': { label: 'Hub restored', say: (entry) => ['Restored the Hub ', hub(entry)] },
  'hub.exported': { label: 'Hub exported', say: (entry) => ['Exported the Hub ', hub(entry)] },
  'member.added': {
    label: 'Member added',
    say: (entry) => ['Added ', user(entry), by(entry, 'invitedBy')],
    hubWord: () => ' to',
  },
  'member.removed': {
    label: 'Member removed',
    say: (entry) => (isOfOneself(entry) ? ['Left'] : ['Removed ', user(entry)]),
    hubWord: (entry) => (isOfOneself(entry) ? '' : ' from'),
  },
  'item.edited': {
    label: 'Message of another author edited',
    say: (entry) => ['Edited a message by ', { name: text(entry, 'author') }],
  },
  'item.deleted': {
    label: 'Message, note or to-do deleted',
    say: (entry) => [`Deleted a ${text(entry, 'kind') === 'todo' ? 'to-do' : text(entry, 'kind')}`],
  },
  'person.created': {
    label: 'Account made',
    say: (entry) => [
      'Made an account for ',
      user(entry),
      ` (${text(entry, 'email')}, ${text(entry, 'role')})`,
      by(entry, 'invitedBy'),
    ],
  },
  'person.changed': {
    label: 'Account changed',
    say: (entry) => ['Changed the account of ', user(entry), ...changedSettings(entry)],
  },
  'person.disabled': { label: 'Account disabled', say: (entry) => ['Disabled the account of ', user(entry)] },
  'person.enabled': { label: 'Account enabled', say: (entry) => ['Enabled the account of ', user(entry)] },
  'person.invited': {
    label: 'Person invited',
    say: (entry) => ['Invited ', { name: nameOf(entry) }, ` as ${text(entry, 'role')}`],
  },
  'invitation.withdrawn': { label: 'Invitation withdrawn', say: () => ['Withdrew an invitation'] },
  'password.changed': { label: 'Password changed', say: () => ['Changed the own password'] },
  'password.reset_link': {
    label: 'Password-reset link made',
    say: (entry) => ['Made a link with which ', user(entry), ' sets a new password'],
  },
  'password.reset': {
    label: 'Password reset',
    say: (entry) => ['Set a new password with a link', by(entry, 'linkBy', ' made by ')],
  },
  'session.started': { label: 'Signed in', say: () => ['Signed in'] },
  'session.ended': { label: 'Signed out', say: () => ['Ended a session'] },
  'token.created': {
    label: 'Access token made',
    say: (entry) => ['Made the access token ', { name: nameOf(entry) }, endOf(entry)],
  },
  'token.revoked': { label: 'Access token revoked', say: () => ['Revoked an access token'] },
  'workspace.changed': {
    label: 'Workspace changed',
    say: (entry) => ['Changed the workspace', ...changedSettings(entry)],
  },
  'workspace.set_up': { label: 'Workspace set up', say: () => ['Set up the workspace, and owns it'] },
  'workspace.backed_up': { label: 'Backup taken', say: () => ['Took a backup'] },
  'workspace.restored': {
    label: 'Backup restored',
    say: (entry) => ['Started on a backup', dated(entry, 'takenAt', ' of ')],
  },
  'link.created': { label: 'Set-up link made', say: () => ['Made a set-up link'] },
};

/**
 * What somebody did, as a sentence whose subject is who did it, with the Hub in which he did behind what he did it to. What a
 * newer server tells is said as it stands there.
 */
export function actionText(entry: AuditEntry, hubName?: string): ItemText {
  const action = ACTIONS[entry.action];
  if (!action) return [entry.action, ...(entry.targetName === null ? [] : [': ', { name: entry.targetName }])];
  const words = action.say(entry).filter((piece) => piece !== '');
  if (hubName === undefined) return words;
  const named = words.findIndex((piece) => typeof piece !== 'string');
  return words.toSpliced(named === -1 ? words.length : named + 1, 0, `${action.hubWord?.(entry) ?? ' in'} ${hubName}`);
}

const nameOf = ({ targetName, targetId }: AuditEntry): string => targetName ?? targetId ?? '';

function isOfOneself({ actor, targetId }: AuditEntry): boolean {
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
  return typeof expiresAt === 'string' ? `, until ${dayAndTime(expiresAt)}` : ', which never expires';
}
