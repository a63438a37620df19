import { isBlank } from '@hub/contract/blank-text';
import { MAX_MESSAGE_CODE_POINTS } from '@hub/contract/common-limits';
import { ArrowUp } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useMessageDraft } from '../../data/unsent/composer-drafts.ts';
import { outboxOf } from '../../data/unsent/outbox.ts';
import { COMMAND_KEY } from '../../lib/keyboard/shortcuts.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { MarkdownArea } from './markdown-area.tsx';
import { fits } from './text-length.ts';

interface ComposerProps {
  /** The accessible label: "Message to Deploys". */
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
  const canSend = !isBlank(text) && fits(text, MAX_MESSAGE_CODE_POINTS);
  const send = () => {
    if (!canSend) return;
    outbox.send({ hubId, draftKey, text });
    onSend();
    clear();
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
    <form
      class="composer"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <MarkdownArea
        label={label}
        placeholder={label}
        value={text}
        onChange={write}
        rows={1}
        hubId={hubId}
        maxCodePoints={MAX_MESSAGE_CODE_POINTS}
        {...(!hasScreenKeyboard() && { hint: (isInCode) => hintFor(text, isInCode) })}
        isFocused={isFocused}
        onKey={onKey}
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
  );
}

function hintFor(text: string, isInCode: boolean): string {
  if (text === '') return '';
  if (!isInCode) return 'Enter to send, Shift + Enter for a new line';
  return `${COMMAND_KEY === 'Meta' ? '⌘' : 'Ctrl'} + Enter to send`;
}
