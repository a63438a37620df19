import { isBlank } from '@hub/contract/blank-text';
import { Bold, CaseSensitive, CodeXml, Eye, Italic, Link, List, Smile } from 'icons';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { lengthOf } from '../../lib/count-text.ts';
import { COMMAND_KEY } from '../../lib/keyboard/shortcuts.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { IconButton } from '../button.tsx';
import { lazy } from '../page/lazy.tsx';
import { Markdown } from '../posts/post.tsx';
import { AttachButton } from './attach-button.tsx';
import type { Edit, Mark, Selection } from './typing.ts';
import {
  continueList,
  isComposing,
  isInCode,
  loadTyping,
  pasteLink,
  type Typing,
  useCompletion,
} from './use-completion.ts';

const CompletionList = lazy(async () => (await import('./completion-list.tsx')).CompletionList);
const EmojiPicker = lazy(async () => (await import('../reactions/emoji-picker.tsx')).EmojiPicker, { takesText: true });

interface MarkdownAreaProps {
  label: string;
  placeholder?: string | undefined;
  value: string;
  onChange: (text: string) => void;
  rows: number;
  /** The Hub whose members are suggested after `@`. Emoji are suggested after `:` anyway. */
  hubId: string | undefined;
  /** Whether `@hub` and `@here` mention anyone in the text. */
  hasGroups?: boolean;
  maxCodePoints: number;
  /**
   * Returns what is shown while the text is far from the limit; `isInCode`: Enter breaks the line, because a fenced code
   * block is open at the caret. In the preview, how to leave it is shown instead.
   */
  hint?: (isInCode: boolean) => string;
  isFocused?: boolean | undefined;
  /** Returns whether the key was handled, so that the area ignores it. */
  onKey: (event: KeyboardEvent) => boolean;
  /** Called with files that are chosen or pasted. Without it, the text has none. */
  onFiles?: ((files: readonly File[]) => void) | undefined;
  children?: ComponentChildren;
}

/** A Markdown text area with its toolbar. The preview replaces the text. */
export function MarkdownArea(props: MarkdownAreaProps) {
  const { label, placeholder, value, onChange, rows, hubId, hasGroups = false, maxCodePoints, hint } = props;
  const { onKey, onFiles, children } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const preview = useRef<HTMLDivElement>(null);
  const completion = useCompletion(area, hubId, hasGroups);
  const listId = useId();
  const lengthId = useId();
  const length = lengthOf(value, maxCodePoints);
  const [isPreview, setPreview] = useState(false);
  // Nothing is left to preview once the text was sent.
  useLayoutEffect(() => setPreview(false), [value === '']);
  const [emojiOpener, setEmojiOpener] = useState<HTMLElement | null>(null);
  useGrowth(area, value);
  useLayoutEffect(() => {
    if (!props.isFocused) return;
    area.current?.focus();
    area.current?.setSelectionRange(value.length, value.length);
  }, []);
  const wasPreview = useRef(isPreview);
  useLayoutEffect(() => {
    // The element that had the focus is now hidden.
    if (wasPreview.current !== isPreview) (isPreview ? preview : area).current?.focus();
    wasPreview.current = isPreview;
  }, [isPreview]);
  const change = async (editOf: (typing: Typing, selection: Selection) => Edit) => {
    const typing = await loadTyping().catch(() => null);
    if (typing && area.current) typing.edit(area.current, editOf(typing, typing.selectionOf(area.current)));
  };
  const mark = (name: Mark) => void change(({ markText }, selection) => markText(name, selection));
  const insertEmoji = (emoji: string) =>
    void change(({ keepRecent }, { start: from, end: to }) => {
      keepRecent(emoji);
      const caret = from + emoji.length;
      return { from, to, insert: emoji, start: caret, end: caret };
    });
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (isComposing(event)) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const shortcut = isCommand ? MARKS.find(({ key }) => key === event.key.toLowerCase())?.mark : undefined;
    const command = shortcut === 'link' && opensPalette(event.currentTarget) ? undefined : shortcut;
    const { currentTarget } = event;
    const isBreak = event.key === 'Enter' && !event.ctrlKey && !event.metaKey;
    const isCodeBreak = isBreak && isInCode(value, currentTarget.selectionStart);
    const isHandled =
      completion.handleKey(event) || (!isCodeBreak && (onKey(event) || (isBreak && continueList(currentTarget))));
    if (!isHandled && !command) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isHandled && command) mark(command);
  };
  const onKeyInPreview = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setPreview(false);
    // On a link, Enter follows it.
    else if (event.target === preview.current && onKey(event)) event.preventDefault();
    else if (event.ctrlKey || event.metaKey) return;
    // Keys are not shortcuts, as in the text.
    event.stopPropagation();
  };
  const room = rows > 1 ? { style: { minHeight: `calc(${rows} * 1lh + 0.875rem)` } } : {};
  const isListed = completion.suggestions.length > 0;
  return (
    <>
      {isListed && <CompletionList id={listId} completion={completion} />}
      {isPreview && (
        <div
          class="preview"
          role="group"
          aria-label="Preview"
          tabIndex={0}
          ref={preview}
          onKeyDown={onKeyInPreview}
          {...room}
        >
          {isBlank(value) ? <p class="placeholder">Nothing to preview.</p> : <Markdown text={value} />}
        </div>
      )}
      <textarea
        ref={area}
        rows={rows}
        {...room}
        hidden={isPreview}
        aria-label={label}
        aria-autocomplete="list"
        aria-describedby={lengthId}
        aria-invalid={length.isTooLong}
        {...(isListed ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${completion.chosen}` } : {})}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value);
          completion.update();
        }}
        // Without this code, the text can still be written and sent.
        onFocus={() => void loadTyping().then(completion.update, () => {})}
        onKeyUp={completion.update}
        onClick={completion.update}
        onBlur={completion.close}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          if (!onFiles || files.length === 0) return pasteLink(event);
          event.preventDefault();
          onFiles(files);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="row">
        <Toolbar
          isPreview={isPreview}
          onMark={mark}
          isEmojiOpen={emojiOpener !== null}
          onEmoji={setEmojiOpener}
          onPreview={() => setPreview(!isPreview)}
          onFiles={onFiles}
        />
        <span class={length.isTooLong ? 'length is-bad' : 'length'} id={lengthId} role="status">
          {length.text}
        </span>
        {length.text === '' && hint !== undefined && (
          <span class="hint">
            {isPreview ? 'Esc to keep editing' : hint(isInCode(value, area.current?.selectionStart ?? 0))}
          </span>
        )}
        {children}
      </div>
      {emojiOpener && (
        <EmojiPicker
          opener={emojiOpener}
          returnTo={area.current ?? emojiOpener}
          onPick={insertEmoji}
          onClose={() => setEmojiOpener(null)}
        />
      )}
    </>
  );
}

/** Whether Ctrl+K opens the command palette: without selected text, and not in a dialog. */
function opensPalette(area: HTMLTextAreaElement): boolean {
  return area.selectionStart === area.selectionEnd && area.closest('dialog') === null;
}

/** Grows the area with its text in browsers whose CSS cannot. */
function useGrowth(area: { current: HTMLTextAreaElement | null }, value: string): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [value]);
}

/** `key`: pressed with Control, or with Command on a Mac. */
const MARKS: readonly { mark: Mark; label: string; Icon: typeof Bold; key?: string }[] = [
  { mark: 'bold', label: 'Bold', Icon: Bold, key: 'b' },
  { mark: 'italic', label: 'Italic', Icon: Italic, key: 'i' },
  { mark: 'code', label: 'Code', Icon: CodeXml, key: 'e' },
  { mark: 'link', label: 'Link', Icon: Link, key: 'k' },
  { mark: 'list', label: 'List', Icon: List },
];

interface ToolbarProps {
  isPreview: boolean;
  onMark: (mark: Mark) => void;
  isEmojiOpen: boolean;
  onEmoji: (opener: HTMLElement) => void;
  onPreview: () => void;
  onFiles: MarkdownAreaProps['onFiles'];
}

/**
 * The formatting toolbar. The text keeps the focus, so that a touch keyboard stays open. There, a button shows the
 * formats, which would take a third of what is left of a phone's screen.
 */
function Toolbar({ isPreview, onMark, isEmojiOpen, onEmoji, onPreview, onFiles }: ToolbarProps) {
  const stay = (event: Event) => event.preventDefault();
  const isTouch = hasScreenKeyboard();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isTouch && (
        <IconButton
          icon={<CaseSensitive />}
          label="Formatting"
          aria-expanded={isOpen}
          onMouseDown={stay}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      {(isOpen || !isTouch) &&
        MARKS.map(({ mark, label, Icon, key }) => (
          <IconButton
            key={mark}
            icon={<Icon />}
            label={label}
            aria-keyshortcuts={key && `${COMMAND_KEY}+${key.toUpperCase()}`}
            disabled={isPreview}
            onMouseDown={stay}
            onClick={() => onMark(mark)}
          />
        ))}
      <IconButton
        icon={<Smile />}
        label="Emoji"
        aria-haspopup="dialog"
        aria-expanded={isEmojiOpen}
        disabled={isPreview}
        onMouseDown={stay}
        onClick={({ currentTarget }) => onEmoji(currentTarget)}
      />
      <IconButton icon={<Eye />} label="Preview" aria-pressed={isPreview} onMouseDown={stay} onClick={onPreview} />
      {onFiles && <AttachButton onFiles={onFiles} />}
    </>
  );
}
