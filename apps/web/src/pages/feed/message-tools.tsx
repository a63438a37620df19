import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import { Ellipsis, Reply, SmilePlus, SquareCheckBig, StickyNote } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { areShortcutsOn } from '../../lib/keyboard/shortcuts.ts';
import { hasNoHover } from '../../lib/widths.ts';
import { openEmojiPicker, reply, withChanges } from './message-actions.ts';
import type { RowScope } from './row-scope.ts';

interface MessageToolsProps {
  message: Message;
  scope: RowScope;
  isHead: boolean;
  /** Whether no other row shows its tools. */
  isVisible: boolean;
}

/**
 * The most common actions on a message. They float over its corner; on touch devices they appear below a tapped one, as
 * buttons with labels, and the menu has the others.
 */
export function MessageTools({ message, scope, isHead, isVisible }: MessageToolsProps) {
  const workspace = useWorkspace();
  const hasThread = scope.kind !== 'thread' && !isHead;
  const bar = useRef<HTMLDivElement>(null);
  const isTouch = hasNoHover();
  const convert = (to: 'todo' | 'note') =>
    withChanges((changes) => void changes.convert(workspace, scope, message, { to }));
  const isCurrent = useComputed(() => scope.chosen.value === message.id).value;
  const isMenuOpen = useComputed(() => {
    const open = scope.overlay.value;
    return open?.kind === 'menu' && open.message.id === message.id;
  }).value;
  useEffect(() => {
    // Below a tapped message, the tools may be out of view, also once it has its first reaction. By the next frame, the feed has settled.
    if (!isCurrent || !hasNoHover()) return;
    const frame = requestAnimationFrame(() => {
      // A focused row was selected by a link or from the keyboard, which has already scrolled to it.
      const isPlaced = bar.current?.closest('[data-row]') === document.activeElement;
      if (!isPlaced) bar.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [isCurrent, message.reactions.length > 0]);
  return (
    <div class={isVisible ? 'tools' : 'tools is-hidden'}>
      <div class="tool-bar" role="toolbar" aria-label="Message actions" onKeyDown={moveInToolbar} ref={bar}>
        <Tool text="React" label="React" keys="e" act="react" run={(opener) => openEmojiPicker(scope, message, opener)}>
          <SmilePlus />
        </Tool>
        {hasThread && (
          <Tool text="Reply" label="Reply in thread" keys="r" run={() => reply(message)}>
            <Reply />
          </Tool>
        )}
        {!isTouch && (
          <>
            <Tool label="Convert to to-do" keys="t" run={() => convert('todo')}>
              <SquareCheckBig />
            </Tool>
            <Tool label="Convert to note" keys="n" run={() => convert('note')}>
              <StickyNote />
            </Tool>
          </>
        )}
        <Tool
          text="More"
          label="More"
          act="more"
          aria-haspopup="menu"
          aria-expanded={isMenuOpen}
          run={(opener) => {
            scope.overlay.value = { kind: 'menu', message, opener };
          }}
        >
          <Ellipsis />
        </Tool>
      </div>
    </div>
  );
}

interface ToolProps {
  label: string;
  /** The visible text on touch screens, which have no tooltips. */
  text?: string;
  keys?: string;
  act?: string;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  run: (button: HTMLElement) => void;
  children: ComponentChildren;
}

function Tool({ label, text, keys, act, run, children, ...popup }: ToolProps) {
  const isNamed = text !== undefined && hasNoHover();
  return (
    <button
      class={isNamed ? 'btn is-bare' : 'icon-btn'}
      type="button"
      aria-label={label}
      aria-keyshortcuts={areShortcutsOn.value ? keys : undefined}
      data-act={act}
      {...popup}
      onClick={({ currentTarget }) => run(currentTarget)}
    >
      {children}
      {isNamed && text}
    </button>
  );
}

function moveInToolbar(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const step = event.key === 'ArrowRight' ? 1 : -1;
  buttons[(here + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
