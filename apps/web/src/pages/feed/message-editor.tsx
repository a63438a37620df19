import type { Message } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import { MAX_MESSAGE_CODE_POINTS } from '@hub/contract/common-limits';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { keepEditDraft, useDraft } from '../../data/unsent/drafts.ts';
import { editDraftKey } from '../../data/unsent/unsaved-text.ts';
import { fits } from '../../lib/count-text.ts';
import { withoutChecks } from '../../lib/posts/find-task.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { MarkdownArea } from '../../ui/composer/markdown-area.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { toast } from '../../ui/toast.tsx';
import { focusComposer, focusRow } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

const ConflictBanner = lazy(async () => (await import('../../ui/items/conflict-banner.tsx')).ConflictBanner);

interface EditorProps {
  message: Message;
  scope: RowScope;
}

interface Draft {
  text: string;
  version: number;
  /** The text of that version. Older drafts lack it. */
  base?: string;
}

function isDraft(value: unknown): value is Draft {
  const { text, version, base } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>;
  return typeof text === 'string' && typeof version === 'number' && ['string', 'undefined'].includes(typeof base);
}

function draftOn({ version, text }: Message, draft = text ?? ''): Draft {
  return { text: draft, version, base: text ?? '' };
}

/** Edits the text of a message in place. The draft is kept in this browser until it is saved or canceled. */
export function MessageEditor({ message, scope }: EditorProps) {
  const { id } = message;
  const [draft, keep] = useDraft<Draft>(editDraftKey(id), null, isDraft);
  const wasKept = useRef(draft !== null);
  useEffect(() => {
    // Saved or discarded, perhaps in another tab: there is nothing left to edit.
    if (wasKept.current && draft === null && scope.editing.peek() === id) scope.editing.value = null;
    wasKept.current = draft !== null;
  }, [draft === null]);
  useRescue(draft?.text ?? '', { message, scope });
  return <EditorForm message={message} scope={scope} draft={draft ?? draftOn(message)} keep={keep} />;
}

interface EditorFormProps extends EditorProps {
  draft: Draft;
  keep: (draft: Draft | null) => void;
}

/** The form of the editor: Enter saves, Escape closes it and keeps the draft. */
function EditorForm({ message, scope, draft, keep }: EditorFormProps) {
  const { id, hubId, version } = message;
  const present = message.text ?? '';
  const { items, me } = useWorkspace();
  const [isSaving, setSaving] = useState(false);
  const [failure, setError] = useState('');
  // While a save is in progress, the newer version is the draft being saved.
  const isBehind = !isSaving && version > draft.version && present !== draft.base && present !== draft.text;
  // The user's own checks of tasks are merged unasked.
  const isOnlyChecked = isBehind && withoutChecks(present) === withoutChecks(draft.base ?? '');
  /** The version that could not be merged. */
  const [unmerged, setUnmerged] = useState(0);
  const latest = useRef(draft);
  latest.current = draft;
  const isOutdated = isBehind && !(isOnlyChecked && unmerged < version);
  useLayoutEffect(() => {
    if (!isOnlyChecked) return;
    let isOver = false;
    import('../../lib/merge-texts.ts').then(
      ({ mergeTexts }) => {
        const merged = mergeTexts(draft.base ?? '', latest.current.text, present);
        if (!isOver && merged.isClean) keep(draftOn(message, merged.text));
        else if (!isOver) setUnmerged(version);
      },
      () => !isOver && setUnmerged(version),
    );
    return () => {
      isOver = true;
    };
  }, [isOnlyChecked, version]);
  const isSendable = !isBlank(draft.text) && fits(draft.text, MAX_MESSAGE_CODE_POINTS);
  const canSave = isSendable && !isSaving;
  const isChanged = draft.text !== (draft.base ?? present);
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
    if (isBehind) {
      choice.current?.focus();
      return;
    }
    if (!canSave) return;
    setSaving(true);
    setError('');
    try {
      const body = { text: draft.text, baseVersion: Math.max(version, draft.version) };
      const saved = await items.applyResponseOf(() => request('PATCH /messages/{messageId}', { messageId: id, body }));
      const { text } = latest.current;
      if (text === draft.text) {
        done();
        return;
      }
      // Text typed during a save is a change to the saved version.
      keep({ text, version: saved.version, base: draft.text });
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
    else if (isSending) void save();
    return key === 'Escape' || isSending;
  };
  // The text and the buttons below it stay in view while it grows, and when the banner above it appears, even if that
  // leaves no room for the whole form.
  useEffect(() => {
    // Beside a screen keyboard in landscape, there is room for the text alone.
    if (document.documentElement.classList.contains('is-low')) return;
    for (const part of [form.current, form.current?.lastElementChild]) part?.scrollIntoView({ block: 'nearest' });
  }, [draft.text, isOutdated]);
  const choice = useRef<HTMLDivElement>(null);
  /** How often a text was chosen. Each time, the field starts over, since the browser's undo would mix the texts. */
  const [choices, setChoices] = useState(0);
  /** The user looks at the result before saving it over the newer version. */
  const choose = (text: string) => {
    keep(draftOn(message, text));
    setChoices(choices + 1);
  };
  const discard = () => {
    keep(null);
    leave();
    if (!isChanged) return;
    const undo = () => {
      keepEditDraft(me.peek().id, id, draft);
      scope.editing.value = id;
    };
    toast('Changes discarded.', { action: { label: 'Undo', run: undo } });
  };
  return (
    <form
      ref={form}
      class="msg-editor"
      aria-label="Edit message"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        // In its toolbar; the text handles the key itself.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        leave();
      }}
    >
      <div class="composer is-field">
        <MarkdownArea
          key={choices}
          label="Message text"
          value={draft.text}
          onChange={(text) => keep({ ...draft, text })}
          rows={1}
          hubId={hubId}
          maxCodePoints={MAX_MESSAGE_CODE_POINTS}
          isFocused
          onKey={onKey}
        />
      </div>
      {failure !== '' && (
        <p class="banner is-bad" role="alert">
          {failure}
        </p>
      )}
      {isOutdated ? (
        <ConflictBanner
          box={choice}
          item={message}
          base={{ title: '', content: draft.base ?? '' }}
          present={{ title: '', content: present }}
          mine={{ title: '', content: draft.text }}
          onChoose={({ content }) => choose(content)}
          onTheirs={discard}
        />
      ) : (
        <div class="under">
          <Button variant="is-main is-small" label="Save" type="submit" disabled={!canSave} />
          <Button variant="is-bare is-small" label={isChanged ? 'Discard changes' : 'Cancel'} onClick={discard} />
          <span class="msg-hint" role="status">
            {isBlank(draft.text)
              ? 'A message needs text. To remove it, choose Delete in its menu.'
              : !hasScreenKeyboard() && 'Enter to save, Esc to close and keep your draft'}
          </span>
        </div>
      )}
    </form>
  );
}

/** Offers to copy the draft when the message being edited is deleted by someone else. */
function useRescue(text: string, { message: { id }, scope }: EditorProps): void {
  const { items } = useWorkspace();
  const latest = useRef(text);
  latest.current = text;
  useEffect(
    () => () => {
      const item = items.get(id).peek();
      if (scope.editing.peek() !== id || (item && item.deletedAt === null)) return;
      scope.editing.value = null;
      const copy = () => void copyText(latest.current, 'Text copied.');
      const action = latest.current === '' ? {} : { action: { label: 'Copy your text', run: copy } };
      toast('The message you were editing was deleted.', action);
    },
    [id],
  );
}
