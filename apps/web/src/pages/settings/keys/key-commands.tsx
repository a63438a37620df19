import type { ApiKey, IssuedKey } from '@hub/contract';
import type { FindingKind } from '@hub/contract/key-findings';
import { endOf } from '@hub/contract/key-state';
import { Ban, Eraser, RefreshCwOff, RotateCw, ShieldAlert } from 'icons';
import type { ComponentChildren } from 'preact';
import { exactText, timeLeft } from '../../../lib/keys/key-times.ts';
import { isIdle, isOver, isReplacementOf, scopeText } from './key-state.ts';

/** The action whose dialog is open. */
export type KeyAction =
  /** `instead`: a key with permissions it does not use; the new key replaces it. */
  | { kind: 'issue'; hubId?: string; instead?: ApiKey }
  | { kind: 'rotate'; key: ApiKey; isForExpiry?: boolean }
  | { kind: 'revoke'; key: ApiKey; how: RevokeKind }
  | { kind: 'once'; issued: IssuedKey; title: string; next: string; after: KeyAction | null }
  /** `outcome`: set if the key was just revoked or replaced; says what happened to its previous keys. */
  | { kind: 'remove'; key: ApiKey; outcome: OlderOutcome | null };

/** `revoke-old`: revokes a key that already has a successor, before its 24 hours are over. */
export type RevokeKind = 'revoke' | 'replace' | 'revoke-old';

/** State and functions that the parts of the keys page share. */
export interface KeysView {
  startAction: (action: KeyAction) => void;
  onChanged: () => void;
  isAdmin: boolean;
  openId: string | null;
  open: (id: string | null) => void;
  /** How many times details were opened, including repeated clicks on ones that are already open. */
  openCount: number;
  find: (id: string | null) => ApiKey | undefined;
  onEnd: () => void;
  /** The maximum lifetime in the workspace, in days; `null` for no limit. */
  maxDays: number | null;
}

const REVOKE_DETAILS: Readonly<Record<RevokeKind, string>> = {
  revoke: 'If its program no longer posts: this key stops immediately.',
  replace: 'If it may have leaked: you get a new key, and this one stops immediately.',
  'revoke-old': 'This key stops immediately instead of after 24 hours.',
};

interface KeyCommand {
  label: string;
  /** Says when to use it, and what happens to the key. */
  detail: string;
  icon: ComponentChildren;
  isDestructive?: boolean;
  action: KeyAction;
}

/** Returns what the user can do with a key in its current state. Only admins can remove posts. */
export function keyCommands(key: ApiKey, { isAdmin, find }: Pick<KeysView, 'isAdmin' | 'find'>): KeyCommand[] {
  const nowMs = Date.now();
  const revoke = (label: string, icon: ComponentChildren, how: RevokeKind): KeyCommand => ({
    label,
    detail: REVOKE_DETAILS[how],
    icon,
    isDestructive: true,
    action: { kind: 'revoke', key, how },
  });
  const remove = (label: string, from: ApiKey): KeyCommand => ({
    label,
    detail: 'Choose which. You can undo it.',
    icon: <Eraser />,
    isDestructive: true,
    action: { kind: 'remove', key: from, outcome: null },
  });
  const commands: KeyCommand[] = [];
  if (isIdle(key, nowMs)) {
    // Revoking the key of a deleted Hub keeps it from working again if the Hub is restored.
    if (!isOver(key, nowMs)) commands.push(revoke('Revoke', <Ban />, 'revoke'));
  } else if (key.successorId !== null) {
    commands.push(revoke('Revoke now', <RefreshCwOff />, 'revoke-old'));
  } else {
    commands.push(
      {
        label: 'Rotate',
        detail: 'To renew it: you get a new key, and this one works for up to 24 more hours.',
        icon: <RotateCw />,
        action: { kind: 'rotate', key },
      },
      revoke('Replace leaked key', <ShieldAlert />, 'replace'),
      revoke('Revoke', <Ban />, 'revoke'),
    );
  }
  if (isAdmin && key.postCount > 0) commands.push(remove('Remove posts', key));
  const before = find(key.predecessorId);
  // The leaked key is hidden with the revoked ones, so its posts can be removed from its successor.
  if (isAdmin && before && isReplacementOf(key, before) && before.postCount > 0) {
    commands.push(remove('Remove the old key’s posts', before));
  }
  return commands;
}

/** Returns what fixes findings about a key, besides what can be done with any key. */
export function fixesOf(
  key: ApiKey,
  findings: readonly FindingKind[],
): Pick<KeyCommand, 'label' | 'detail' | 'action'>[] {
  const fixes: Partial<Record<FindingKind, Pick<KeyCommand, 'label' | 'detail' | 'action'>>> = {
    wide: {
      label: 'Issue a key with fewer permissions',
      detail: `This one can create ${scopeText(key.unusedScopes)} but never has.`,
      action: { kind: 'issue', hubId: key.hubId, instead: key },
    },
    'no-expiry': {
      label: 'Rotate and set an expiry',
      detail: 'This key never expires.',
      action: { kind: 'rotate', key, isForExpiry: true },
    },
    'issuer-gone': {
      label: 'Take it over',
      detail: `${key.createdBy.name} issued it, whose account is disabled. A rotation makes you responsible for it.`,
      action: { kind: 'rotate', key },
    },
  };
  return findings.flatMap((finding) => fixes[finding] ?? []);
}

/** The result for the previous keys of a key that was revoked or replaced. */
export interface OlderOutcome {
  revokedCount: number;
  left: readonly ApiKey[];
}

/** "The previous key hub_live_…66Hj works for another 23 h 10 min." */
export function stillWorks(key: ApiKey, verb: 'works' | 'still works'): string {
  const end = endOf(key);
  const time = end === null ? '' : ` for another ${timeLeft(end - Date.now())}`;
  return `The previous key ${key.hint} ${verb}${time}.`;
}

export function afterRotation(overlapEnd: number): string {
  return `The old key works until ${exactText(overlapEnd)}. Copy the new key and switch to it before then.`;
}

export function afterReplacement({ revokedCount, left }: OlderOutcome): string {
  const summary =
    revokedCount === 0
      ? 'The old key no longer works: its program gets 401 until it has the new key.'
      : `The old key and its previous ${revokedCount === 1 ? 'key' : 'keys'} no longer work: their programs get 401 until they have the new key.`;
  return `${summary} Copy the new key and switch its program to it now.${leftText(left)}`;
}

/** Says which keys were revoked and which still work, such as a successor that someone else made meanwhile. */
export function afterRevocation({ name, successorId }: ApiKey, { revokedCount, left }: OlderOutcome): string {
  const also = revokedCount === 0 ? '' : revokedCount === 1 ? ' and its previous key' : ' and its previous keys';
  const summary =
    successorId === null
      ? `${name}${also} ${revokedCount === 0 ? 'was' : 'were'} revoked.`
      : `The previous key of ${name} was revoked. The new key keeps working.`;
  return summary + leftText(left);
}

/** Says that the key and its previous keys no longer work, for the dialog that removes its posts. */
export function noLongerWorks(key: ApiKey, { revokedCount, left }: OlderOutcome): string {
  const also = revokedCount > 0 ? ' Its previous keys were revoked too.' : '';
  return `${nameOf('The', key)} no longer works.${also}${leftText(left)}`;
}

/** Names the key. After a replacement, the new key has the same name, so the old one is called "the old key of …". */
export function nameOf(article: 'The' | 'the', { name, successorId }: ApiKey): string {
  return successorId === null ? name : `${article} old key of ${name}`;
}

const leftText = (left: readonly ApiKey[]) => left.map((key) => ` ${stillWorks(key, 'still works')}`).join('');
