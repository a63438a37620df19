import type { ApiKey, IssuedKey } from '@hub/contract';
import { Ban, Eraser, RefreshCwOff, RotateCw, ShieldAlert } from 'icons';
import type { ComponentChildren } from 'preact';
import { isIdle, isOver, isReplacementOf } from './key-state.ts';
import type { OlderOutcome } from './key-texts.ts';

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
  /** Shows a key that the user has changed. */
  put: (key: ApiKey) => void;
  isAdmin: boolean;
  openId: string | null;
  open: (id: string | null) => void;
  /** How many times details were opened, including repeated clicks on ones that are already open. */
  openCount: number;
  /** Returns the key with this id, if it is loaded. */
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
