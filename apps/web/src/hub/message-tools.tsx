import Ellipsis from 'icon:ellipsis';
import Reply from 'icon:reply';
import SmilePlus from 'icon:smile-plus';
import SquareCheckBig from 'icon:square-check-big';
import StickyNote from 'icon:sticky-note';
import type { Message } from '@hub/contract';
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from '../workspace/workspace.ts';
import { askForEmoji, convert, response } from './message-actions.ts';
import type { RowScope } from './row-scope.ts';

/** Where there is no pointer that could hover. */
const TOUCH = '(hover: none)';

interface MessageToolsProps {
  message: Message;
  scope: RowScope;
  isHead: boolean;
}

/** What one does with a message most. They float over its corner; on touch they stand beneath the one that was tapped. */
export function MessageTools({ message, scope, isHead }: MessageToolsProps) {
  const workspace = useWorkspace();
  const hasThread = scope.kind !== 'thread' && !isHead;
  const bar = useRef<HTMLDivElement>(null);
  const isHere = useComputed(() => scope.chosen.value === message.id).value;
  useEffect(() => {
    // Beneath a message that was tapped they may come below what is in view. The feed has settled by then.
    if (!isHere || !matchMedia(TOUCH).matches) return;
    const frame = requestAnimationFrame(() => {
      // A row with the focus was chosen by a link or by keys, which have placed its head.
      const isPlaced = bar.current?.closest('[data-row]') === document.activeElement;
      if (!isPlaced) bar.current?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [isHere]);
  return (
    <div class="tools" role="toolbar" aria-label="Message actions" onKeyDown={moveInToolbar} ref={bar}>
      <Tool label="React (e)" act="react" run={(opener) => askForEmoji(scope, message, opener)}>
        <SmilePlus />
      </Tool>
      {hasThread && (
        <Tool label="Reply in thread (r)" run={() => response(message)}>
          <Reply />
        </Tool>
      )}
      <Tool label="Make a to-do (t)" run={() => void convert(workspace, scope, message, { to: 'todo' })}>
        <SquareCheckBig />
      </Tool>
      <Tool label="Make a note (n)" run={() => void convert(workspace, scope, message, { to: 'note' })}>
        <StickyNote />
      </Tool>
      <Tool
        label="More"
        act="more"
        run={(opener) => {
          scope.overlay.value = { kind: 'menu', message, opener };
        }}
      >
        <Ellipsis />
      </Tool>
    </div>
  );
}

interface ToolProps {
  label: string;
  act?: string;
  run: (button: HTMLElement) => void;
  children: ComponentChildren;
}

function Tool({ label, act, run, children }: ToolProps) {
  return (
    <button
      class="icon-btn"
      type="button"
      aria-label={label}
      title={label}
      data-act={act}
      onClick={({ currentTarget }) => run(currentTarget)}
    >
      {children}
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
