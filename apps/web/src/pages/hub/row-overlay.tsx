import Copy from 'icon:copy';
import KeyRound from 'icon:key-round';
import Link from 'icon:link';
import MessageSquareDot from 'icon:message-square-dot';
import Pencil from 'icon:pencil';
import Trash2 from 'icon:trash-2';
import type { Message } from '@hub/contract';
import { mayChange } from '../../data/items/may-change.ts';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { EmojiPicker } from '../../ui/reactions/emoji-picker.tsx';
import { setReaction } from '../../ui/reactions/toggle-reaction.ts';
import { DeleteMessage } from './delete-message.tsx';
import { canBeUnread, copyLink, copyMessage, markUnread, openOrigin } from './message-actions.ts';
import type { Overlay, RowScope } from './row-scope.ts';
import { TitleDialog } from './title-dialog.tsx';

/** A picker, menu or dialog over the rows of a conversation, a thread or the Stream. */
export function RowOverlay({ scope, open }: { scope: RowScope; open: Overlay }) {
  const workspace = useWorkspace();
  const close = () => {
    if (scope.overlay.peek() === open) scope.overlay.value = null;
  };
  const { message } = open;
  if (open.kind === 'emoji') {
    const react = (emoji: string) => void setReaction(workspace, message, { emoji, isOn: true });
    return <EmojiPicker opener={open.opener} returnTo={open.returnTo} onPick={react} onClose={close} />;
  }
  if (open.kind === 'menu') {
    const items = menuOf(workspace, scope, message);
    return <Menu label="More message actions" items={items} opener={open.opener} onClose={close} />;
  }
  if (open.kind === 'deletion') return <DeleteMessage message={message} scope={scope} onClose={close} />;
  return <TitleDialog key={message.id} {...open} onClose={close} />;
}

/** The actions on a message that its tools do not show. */
export function menuOf(workspace: Workspace, scope: RowScope, message: Message): MenuItem[] {
  const items: MenuItem[] = [
    { label: 'Copy link', icon: <Link />, keys: 'y', run: () => copyLink(message) },
    { label: 'Copy text', icon: <Copy />, run: () => void copyMessage(message) },
  ];
  if (canBeUnread(workspace, message) && scope.kind !== 'thread') {
    const run = () => void markUnread(workspace, message);
    items.push({ label: 'Mark unread from here', icon: <MessageSquareDot />, keys: 'u', run });
  }
  if (message.key) items.push({ label: 'Show source', icon: <KeyRound />, run: () => openOrigin(message) });
  // Messages cannot be edited in place in the Stream.
  const isStream = scope.kind === 'stream';
  if (!mayChange(workspace.me.value, message)) return items;
  const edit = () => {
    scope.editing.value = message.id;
  };
  const remove = () => {
    scope.overlay.value = { kind: 'deletion', message };
  };
  return [
    ...(isStream ? [] : [{ label: 'Edit', icon: <Pencil />, run: edit }]),
    ...items,
    { label: 'Delete', icon: <Trash2 />, isBad: true, run: remove },
  ];
}
