import type { Message } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { useDraft } from '../../data/unsent/drafts.ts';
import { editDraftKey } from '../../data/unsent/unsaved-text.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { MarkdownArea } from '../../ui/composer/markdown-area.tsx';
import { fits } from '../../ui/composer/text-length.ts';
import { PostBody } from '../../ui/posts/post-body.tsx';
import { toast, toastNoResponse } from '../../ui/toast.tsx';
import { markdownOf } from './message-changes.ts';
import { focusComposer, focusRow } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

interface EditorProps {
  message: Message;
  scope: RowScope;
}

interface Draft {
  text: string;
  /** The version that the draft is based on. */
  version: number;
}

function isDraft(value: unknown): value is Draft {
  const { text, version } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>;
  return typeof text === 'string' && typeof version === 'number';
}

/** Edits the text of a message in place. The draft is kept in this browser until it is saved or canceled. */
export function MessageEditor({ message, scope }: EditorProps) {
  const { id, version } = message;
  const [kept, keep] = useDraft<Draft>(editDraftKey(id), null, isDraft);
  const [start, setStart] = useState<Draft | null>(null);
  useEffect(() => {
    if (kept !== null) return;
    markdownOf(message).then(
      (text) => setStart({ text, version }),
      () => {
        scope.editing.value = null;
        toastNoResponse();
      },
    );
  }, []);
  const wasKept = useRef(kept !== null);
  useEffect(() => {
    // Saved or discarded, perhaps in another tab: there is nothing left to edit.
    if (wasKept.current && kept === null && scope.editing.peek() === id) scope.editing.value = null;
    wasKept.current = kept !== null;
  }, [kept === null]);
  useRescue(kept?.text ?? '', { message, scope });
  const draft = kept ?? start;
  if (draft === null) return <PostBody item={message} />;
  return <EditorForm message={message} scope={scope} draft={draft} keep={keep} />;
}

interface EditorFormProps extends EditorProps {
  draft: Draft;
  keep: (draft: Draft | null) => void;
}

/** The form of the editor: Enter saves, Escape closes it and keeps the draft. */
function EditorForm({ message, scope, draft, keep }: EditorFormProps) {
  const { id, hubId, version } = message;
  const { items } = useWorkspace();
  const [isSaving, setSaving] = useState(false);
  const [failure, setError] = useState('');
  // While a save is in progress, the newer version is the draft being saved.
  const isOutdated = !isSaving && version !== draft.version;
  const written = useRef(draft);
  written.current = draft;
  const isSendable = draft.text.trim() !== '' && fits(draft.text, LIMITS.messageTextCodePoints);
  const canSave = isSendable && !isSaving && !isOutdated;
  const leave = () => {
    const isFromComposer = scope.editedFromComposer === id;
    scope.editedFromComposer = null;
    scope.editing.value = null;
    requestAnimationFrame(() => (isFromComposer ? focusComposer(scope) : focusRow(scope, id)));
  };
  const form = useRef<HTMLFormElement>(null);
  /** Closes the editor. The user may be writing elsewhere by now. */
  const done = () => {
    const { activeElement } = document;
    const isHere = activeElement === document.body || form.current?.contains(activeElement);
    keep(null);
    if (scope.editing.peek() !== id) return;
    if (isHere) leave();
    else scope.editing.value = null;
  };
  const save = async () => {
    if (!canSave) return;
    setSaving(true);
    setError('');
    try {
      const body = { text: draft.text, baseVersion: draft.version };
      const saved = await items.applyResponseOf(() => request('PATCH /messages/{messageId}', { messageId: id, body }));
      const { text } = written.current;
      if (text === draft.text) {
        done();
        return;
      }
      // Text typed during a save is a change to the saved version.
      keep({ text, version: saved.version });
      setSaving(false);
    } catch (error) {
      const isConflict = error instanceof ApiError && error.statusCode === 409;
      const load = () => items.applyResponseOf(() => request('GET /items/{itemId}', { itemId: id }));
      const newer = isConflict ? await load().catch(() => null) : null;
      // The response to an earlier request that saved this text was lost.
      if (newer?.kind === 'message' && newer.text === draft.text) done();
      else if (newer === null) setError(`Not saved. ${errorMessage(error)}`);
      setSaving(false);
    }
  };
  const onKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    const isSending = key === 'Enter' && !shiftKey && (ctrlKey || metaKey || !hasScreenKeyboard());
    if (key === 'Escape') leave();
    else if (isSending && !isOutdated) void save();
    return key === 'Escape' || isSending;
  };
  // The buttons below the text stay in view while it grows, and when the banner above it appears.
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [draft.text, isOutdated]);
  return (
    <form
      ref={form}
      class="msg-editor"
      aria-label="Edit message"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isOutdated && <OutdatedBanner message={message} />}
      <div class="composer is-field">
        <MarkdownArea
          label="Message text"
          value={draft.text}
          onChange={(text) => keep({ ...draft, text })}
          rows={1}
          hubId={hubId}
          maxCodePoints={LIMITS.messageTextCodePoints}
          isFocused
          onKey={onKey}
        />
      </div>
      {failure !== '' && (
        <p class="banner is-bad" role="alert">
          {failure}
        </p>
      )}
      <div class="under">
        {isOutdated ? (
          // Separate keys: if both buttons shared an element, the click that changes its type would also submit the
          // form.
          <Button
            key="over"
            look="is-main is-small"
            label="Keep my version"
            onClick={() => keep({ ...draft, version })}
          />
        ) : (
          <Button key="save" look="is-main is-small" label="Save" type="submit" disabled={!canSave} />
        )}
        <Button
          look="is-bare is-small"
          label="Cancel"
          onClick={() => {
            keep(null);
            leave();
          }}
        />
        <span class="msg-hint" role="status">
          {draft.text.trim() === ''
            ? 'A message needs text. To remove it, choose Delete in its menu.'
            : !hasScreenKeyboard() && 'Enter to save, Esc to close and keep your draft'}
        </span>
      </div>
    </form>
  );
}

function OutdatedBanner({ message }: { message: Message }) {
  return (
    <div class="banner is-warn" role="alert">
      <div class="grow">
        <strong>This message was edited.</strong> Your changes are kept below. Current version:
        <PostBody item={message} collapseLines={10} />
      </div>
    </div>
  );
}

/** Offers to copy the draft when the message being edited is deleted by someone else. */
function useRescue(text: string, { message: { id }, scope }: EditorProps): void {
  const { items } = useWorkspace();
  const written = useRef(text);
  written.current = text;
  useEffect(
    () => () => {
      const item = items.get(id).peek();
      if (scope.editing.peek() !== id || (item && item.deletedAt === null)) return;
      scope.editing.value = null;
      const copy = () => void copyText(written.current, 'Text copied.');
      const action = written.current === '' ? {} : { action: { label: 'Copy your text', run: copy } };
      toast('The message you were editing was deleted.', action);
    },
    [id],
  );
}
