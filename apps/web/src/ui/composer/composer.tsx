import { isBlank } from '@hub/contract/blank-text';
import { MAX_MESSAGE_CODE_POINTS } from '@hub/contract/common-limits';
import { GROUPS, nameFinder } from '@hub/contract/find-names';
import { ArrowUp } from 'icons';
import { useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { activeMembers } from '../../data/members/members.ts';
import { useMessageDraft } from '../../data/unsent/composer-drafts.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { fits } from '../../lib/count-text.ts';
import { COMMAND_KEY } from '../../lib/keyboard/shortcuts.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { lazy } from '../page/lazy.tsx';
import { MarkdownArea } from './markdown-area.tsx';
import { useAttachedDraft, useDroppedFiles } from './use-attached.ts';

/** From this many members on, a message to all of them or to those who are here asks first. */
const CONFIRMED_FROM = 20;

const NotifyGroup = lazy(async () => (await import('./notify-group.tsx')).NotifyGroup);
const Attachments = lazy(async () => (await import('./attachments.tsx')).Attachments);

interface ComposerProps {
  label: string;
  hubId: string;
  /** The key of the draft in this browser: the id of the Hub, or of the message being replied to. */
  draftKey: string;
  /**
   * Called when a message is added to the outbox. Until the server has it, it is shown in
   * `<OutboxRows draftKey={draftKey} />`, which belongs at the end of its list.
   */
  onSend: () => void;
  isFocused?: boolean;
  /** Called when Escape is pressed and there is nothing else to close: the text stays and the focus moves away. */
  onLeave: () => void;
  /** Called for the up arrow in an empty composer: edits the user's last message, or returns false. */
  onEditLast: () => boolean;
}

/** The message composer. Enter sends, Shift+Enter breaks the line; on a touch keyboard, Enter does. */
export function Composer(props: ComposerProps) {
  return <ComposerOf key={props.draftKey} {...props} />;
}

function ComposerOf(props: ComposerProps) {
  const { label, hubId, draftKey, onSend, isFocused = false, onLeave, onEditLast } = props;
  const workspace = useWorkspace();
  const outbox = outboxOf(workspace);
  const { text, write, clear } = useMessageDraft(workspace.me.peek().id, { hubId, draftKey });
  const attached = useAttachedDraft(workspace.me.peek().id, `${hubId}.${draftKey}`);
  const { files, uploads } = attached;
  const hasContent = !isBlank(text) || files.length > 0;
  const canSend = hasContent && uploads.length === 0 && fits(text, MAX_MESSAGE_CODE_POINTS);
  const form = useRef<HTMLFormElement>(null);
  useDroppedFiles(form, attached.add);
  const [isAsking, setAsking] = useState(false);
  const group = groupIn(text);
  const members = group === undefined ? 0 : activeMembers(workspace, hubId).value.length;
  const send = (isConfirmed = false) => {
    if (!canSend) return;
    if (members >= CONFIRMED_FROM && !isConfirmed) {
      setAsking(true);
      return;
    }
    void outbox.send({ hubId, draftKey, text, files });
    onSend();
    clear();
    attached.clear();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const isPlain = !(event.shiftKey || event.altKey || event.ctrlKey || event.metaKey);
    if (isPlain && event.key === 'Escape') {
      onLeave();
      return true;
    }
    if (isPlain && event.key === 'ArrowUp' && text === '') return onEditLast();
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || (hasScreenKeyboard() && !event.ctrlKey))
      return false;
    send();
    return true;
  };
  return (
    <>
      <form
        class="composer"
        ref={form}
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {files.length + uploads.length > 0 && <Attachments hubId={hubId} {...attached} />}
        <MarkdownArea
          label={label}
          placeholder={label}
          value={text}
          onChange={write}
          rows={1}
          hubId={hubId}
          hasGroups
          maxCodePoints={MAX_MESSAGE_CODE_POINTS}
          {...(!hasScreenKeyboard() && { hint: (isInCode) => hintFor(text, isInCode, uploads.length > 0) })}
          isFocused={isFocused}
          onKey={onKey}
          onFiles={attached.add}
        >
          <button
            class="icon-btn is-small send"
            type="submit"
            aria-label="Send"
            aria-keyshortcuts={hasScreenKeyboard() ? undefined : 'Enter'}
            disabled={!canSend}
            // Keep the focus in the text area: this button is disabled once there is nothing to send.
            onMouseDown={(event) => event.preventDefault()}
          >
            <ArrowUp />
          </button>
        </MarkdownArea>
      </form>
      {isAsking && group !== undefined && (
        <NotifyGroup group={group} members={members} onSend={() => send(true)} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

const findGroups = nameFinder(GROUPS);

/** Returns the largest group that a text mentions: `@hub`, or else `@here`. */
function groupIn(text: string): string | undefined {
  const found = findGroups(text).flatMap(({ userIds }) => userIds);
  return found.sort().at(-1);
}

function hintFor(text: string, isInCode: boolean, isUploading: boolean): string {
  if (text === '') return '';
  if (isUploading) return 'Not all files are uploaded';
  if (!isInCode) return 'Enter to send, Shift + Enter for a new line';
  return `${COMMAND_KEY === 'Meta' ? '⌘' : 'Ctrl'} + Enter to send`;
}
