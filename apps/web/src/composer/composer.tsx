import ArrowUp from 'icon:arrow-up';
import { LIMITS } from '@hub/contract/limits';
import { useId, useState } from 'preact/hooks';
import { useWorkspace } from '../workspace/workspace.ts';
import { useDraft } from './drafts.ts';
import { MarkdownArea } from './markdown-area.tsx';
import { outboxOf } from './outbox.ts';
import { hasScreenKeyboard } from './screen-keyboard.ts';
import { lengthOf } from './text-length.ts';

interface ComposerProps {
  /** What it writes to, for its label: "Message to Deploys". */
  label: string;
  /** In the empty text, if the label is too long for that. */
  placeholder?: string;
  hubId: string;
  /** Under which the draft is kept in this browser: the Hub's id, or that of the message that is replied to. */
  draftKey: string;
  /**
   * Called as a message is handed to the outbox. Until the server has it, it stands in `<OutboxRows draftKey={draftKey} />`,
   * which belongs at the end of its list.
   */
  onSend: () => void;
  /** It has the focus from the beginning. */
  isFocused?: boolean;
  /** Escape, once nothing is open that it closes: the text stays as it is, and the focus goes elsewhere. */
  onLeave: () => void;
  /** The arrow upwards in the empty text: edits what one wrote last. False if that is not there. */
  onEditLast: () => boolean;
}

/** Where one writes. Enter sends, Shift and Enter break the line; on the screen's keyboard, Enter breaks it. */
export function Composer(props: ComposerProps) {
  return <ComposerOf key={props.draftKey} {...props} />;
}

function ComposerOf(props: ComposerProps) {
  const { label, placeholder = label, hubId, draftKey, onSend, isFocused = false, onLeave, onEditLast } = props;
  const workspace = useWorkspace();
  const outbox = outboxOf(workspace);
  const { text, write, clear } = useDraft(workspace.me.peek().id, draftKey);
  const [isPreview, setPreview] = useState(false);
  const lengthId = useId();
  const length = lengthOf(text, LIMITS.messageTextCodePoints);
  const canSend = text.trim() !== '' && !length.isTooLong;
  const send = () => {
    if (!canSend) return;
    setPreview(false);
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
        placeholder={placeholder}
        value={text}
        onChange={write}
        rows={1}
        hubId={hubId}
        isPreview={isPreview}
        onPreview={setPreview}
        describedBy={lengthId}
        isInvalid={length.isTooLong}
        isFocused={isFocused}
        onKey={onKey}
      >
        <span class={length.isTooLong ? 'length is-bad' : 'length'} id={lengthId} role="status">
          {length.text}
        </span>
        {length.text === '' && (
          <span class="hint">
            {isPreview ? 'Esc goes back to the text' : 'Enter sends, Shift + Enter breaks the line'}
          </span>
        )}
        <button
          class="icon-btn is-small send"
          type="submit"
          aria-label="Send"
          title="Send"
          disabled={!canSend}
          // The text keeps the focus: this has none once there is nothing to send.
          onMouseDown={(event) => event.preventDefault()}
        >
          <ArrowUp size="s" />
        </button>
      </MarkdownArea>
    </form>
  );
}
