import Copy from 'icon:copy';
import KeyRound from 'icon:key-round';
import Link from 'icon:link';
import Pencil from 'icon:pencil';
import Trash2 from 'icon:trash-2';
import type { Message } from '@hub/contract';
import { setReaction } from '../reactions/toggle-reaction.ts';
import { lazy } from '../ui/lazy.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';
import { DeleteMessage } from './delete-message.tsx';
import { copyLink, copyMessage, mayChange, openOrigin } from './message-actions.ts';
import type { RowScope } from './row-scope.ts';
import { TitleDialog } from './title-dialog.tsx';

const EmojiPicker = lazy(async () => (await import('../reactions/emoji-picker.tsx')).EmojiPicker);

/** The picker, menu or dialog that is open over the rows of a conversation or a thread. */
export function RowOverlays({ scope }: { scope: RowScope }) {
  const workspace = useWorkspace();
  const open = scope.overlay.value;
  if (!open) return null;
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

function menuOf(workspace: Workspace, scope: RowScope, message: Message): MenuItem[] {
  const items: MenuItem[] = [
    { label: 'Copy link', icon: <Link />, run: () => copyLink(message) },
    { label: 'Copy text', icon: <Copy />, run: () => void copyMessage(message) },
  ];
  if (message.key) items.push({ label: 'Show source', icon: <KeyRound />, run: () => openOrigin(message) });
  // Messages cannot be edited in place in the Stream.
  const isStream = scope.kind === 'stream';
  if (!mayChange(workspace, message)) return items;
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
