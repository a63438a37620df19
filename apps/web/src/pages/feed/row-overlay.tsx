import type { Message } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import {
  Bell,
  BellOff,
  Copy,
  KeyRound,
  Link,
  ListFilter,
  MessageSquareDot,
  Pencil,
  SquareCheckBig,
  StickyNote,
  Trash2,
} from 'icons';
import { useEffect } from 'preact/hooks';
import { mayDelete, mayEdit } from '../../data/items/item.ts';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { navigate, withPanel } from '../../lib/router/location.ts';
import { hasNoHover, hasScreenKeyboard } from '../../lib/widths.ts';
import { copyLink } from '../../ui/clipboard.ts';
import { FormDialog, TextField, useText } from '../../ui/forms/form.tsx';
import { DeletionDialog } from '../../ui/items/deletion.tsx';
import { pinAction } from '../../ui/items/pinning.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { keyModeOf, loadKeyModes, setKeyMode } from '../../ui/notification-modes.ts';
import { EmojiPicker } from '../../ui/reactions/emoji-picker.tsx';
import { setReaction } from '../../ui/reactions/reaction-chips.tsx';
import { canBeUnread, convert, copyMessage, markUnread } from './message-changes.ts';
import { focusRow } from './row-keys.ts';
import { type Overlay, type RowScope, rowElement } from './row-scope.ts';

export function RowOverlay({ scope, open }: { scope: RowScope; open: Overlay }) {
  const workspace = useWorkspace();
  const close = () => {
    if (scope.overlay.peek() === open) scope.overlay.value = null;
  };
  const { message } = open;
  useEffect(() => {
    if (open.kind === 'menu' && message.key) loadKeyModes();
  }, []);
  if (open.kind === 'emoji') {
    const react = (emoji: string) => void setReaction(workspace, message, { emoji, isOn: true });
    return <EmojiPicker opener={open.opener} returnTo={open.returnTo} onPick={react} onClose={close} />;
  }
  if (open.kind === 'menu') {
    const items = [
      ...(hasNoHover() ? conversions(workspace, scope, message) : []),
      ...menuOf(workspace, scope, message),
    ];
    return <Menu label="More message actions" items={items} opener={open.opener} onClose={close} />;
  }
  if (open.kind === 'deletion') {
    return <DeletionDialog item={message} prepare={() => leaveRow(scope, message)} onClose={close} />;
  }
  return <TitleDialog key={message.id} {...open} onClose={close} />;
}

/** The actions that the tools show as well, except on touch screens, where they have no room. */
export function conversions(workspace: Workspace, scope: RowScope, message: Message): MenuItem[] {
  const to = (to: 'todo' | 'note') => () => void convert(workspace, scope, message, { to });
  return [
    { label: 'Convert to to-do', icon: <SquareCheckBig />, keys: 't', run: to('todo') },
    { label: 'Convert to note', icon: <StickyNote />, keys: 'n', run: to('note') },
  ];
}

/** The actions on a message that its tools never show. */
export function menuOf(workspace: Workspace, scope: RowScope, message: Message): MenuItem[] {
  const items: MenuItem[] = [
    { label: 'Copy link', icon: <Link />, keys: 'y', run: () => copyLink(message) },
    { label: 'Copy text', icon: <Copy />, run: () => void copyMessage(message) },
    pinAction(workspace.hubs, message),
  ];
  if (canBeUnread(workspace, message) && scope.kind !== 'thread') {
    const run = () => void markUnread(workspace, message);
    items.push({ label: 'Mark unread from here', icon: <MessageSquareDot />, keys: 'u', run });
  }
  const { key } = message;
  if (key) {
    // The panel begins at the oldest post that the row stands for.
    const openOrigin = () => {
      const id = rowElement(scope, message.id)?.dataset.oldest ?? message.id;
      navigate(`${withPanel(id)}&show=origin`);
    };
    const isMuted = keyModeOf(key.id) === 'muted';
    items.push(
      { label: 'Show key', icon: <KeyRound />, run: openOrigin },
      { label: 'All posts of this key', icon: <ListFilter />, run: () => navigate(`/stream?key=${key.id}`) },
      {
        label: isMuted ? 'Unmute this key' : 'Mute this key',
        icon: isMuted ? <Bell /> : <BellOff />,
        run: () => void setKeyMode(key, isMuted ? 'usual' : 'muted'),
      },
    );
  }
  // Messages cannot be edited in place in the Stream.
  const isStream = scope.kind === 'stream';
  const me = workspace.me.value;
  if (!mayDelete(me, message)) return items;
  const edit = () => {
    scope.editing.value = message.id;
  };
  const remove = () => {
    scope.overlay.value = { kind: 'deletion', message };
  };
  return [
    ...(isStream || !mayEdit(me, message) ? [] : [{ label: 'Edit', icon: <Pencil />, run: edit }]),
    ...items,
    { label: 'Delete', icon: <Trash2 />, isDestructive: true, run: remove },
  ];
}

/** Returns what focuses the next row once a message is deleted, or its empty row if its replies stay. */
function leaveRow(scope: RowScope, { id, replyCount }: Message): () => void {
  const ids = scope.ids();
  const index = ids.indexOf(id);
  return () => {
    const next = replyCount > 0 ? id : (ids[index + 1] ?? ids[index - 1]);
    // On a touch screen, a focused row shows its actions, which would look like an offer to delete that one, too.
    if (next !== undefined && !hasScreenKeyboard()) requestAnimationFrame(() => focusRow(scope, next));
  };
}

/** Asks for a title when the server cannot convert a message by itself, for the reason in `text`. */
function TitleDialog({ message, to, text, onClose }: Extract<Overlay, { kind: 'title' }> & { onClose: () => void }) {
  const workspace = useWorkspace();
  const title = useText();
  const noun = to === 'todo' ? 'to-do' : 'note';
  return (
    <FormDialog
      title={`Name this ${noun}`}
      description={text}
      submitLabel={`Create ${noun}`}
      isDisabled={isBlank(title.value)}
      onSubmit={async () => {
        onClose();
        const content = `From [a message](${location.origin}/p/${message.id}).`;
        void convert(workspace, null, message, { to, title: title.value.trim(), content });
      }}
      onClose={onClose}
    >
      <TextField label="Title" maxLength={255} {...title} />
    </FormDialog>
  );
}
