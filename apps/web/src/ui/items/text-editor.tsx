import type { Note, Todo } from '@hub/contract';
import { isBlank } from '@hub/contract/blank-text';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { type EditDraft, isEditDraft, keepEditDraft, useDraft } from '../../data/unsent/drafts.ts';
import { baseOf, type ItemText, isSameText, saveText, TextConflict, textIn } from '../../data/unsent/save-text.ts';
import { editDraftKey } from '../../data/unsent/unsaved-text.ts';
import { Button } from '../button.tsx';
import { MarkdownArea } from '../composer/markdown-area.tsx';
import { useAttached, useDroppedFiles } from '../composer/use-attached.ts';
import { lazy } from '../page/lazy.tsx';
import { toast } from '../toast.tsx';

const Attachments = lazy(async () => (await import('../composer/attachments.tsx')).Attachments);
const ConflictBanner = lazy(async () => (await import('./conflict-banner.tsx')).ConflictBanner);

interface TextEditorProps {
  item: Note | Todo;
  titleLabel: string;
  /** The maximum length of the content, in code points. */
  maxContent: number;
  startsInContent?: boolean;
  onDone: () => void;
  /** Called to edit again after discarding a draft by mistake. */
  onReopen: () => void;
}

/** Edits the title, the content and the files of a note or a to-do. The draft is kept until it is saved or discarded. */
export function TextEditor(props: TextEditorProps) {
  const { item, titleLabel, maxContent, startsInContent = false, onDone, onReopen } = props;
  const { items, me } = useWorkspace();
  const present = textIn(item);
  const [draft, setDraft] = useDraft<EditDraft>(editDraftKey(item.id), { ...present, base: baseOf(item) }, isEditDraft);
  const [failure, setError] = useState('');
  const [isSaving, setSaving] = useState(false);
  /** How often a version was chosen. Each time, the fields start over, since the browser's undo would mix the texts. */
  const [choices, setChoices] = useState(0);
  const written = useRef(draft);
  const saver = useRef<HTMLButtonElement>(null);
  // While a save is in progress, the newer version is the draft being saved.
  const isOverwriting = !isSaving && draft !== null && !isSameText(present, draft.base) && !isSameText(present, draft);
  const choice = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The button with the focus was removed, and the banner cares for the focus itself.
    if (document.activeElement === document.body) saver.current?.focus();
  }, [isOverwriting]);
  if (!draft) return null;
  written.current = draft;
  const { base, ...text } = draft;

  const close = () => {
    setDraft(null);
    onDone();
  };
  const discard = () => {
    close();
    if (isSameText(text, base)) return;
    const undo = () => {
      keepEditDraft(me.peek().id, item.id, draft);
      onReopen();
    };
    toast('Changes discarded.', { action: { label: 'Undo', run: undo } });
  };
  const save = async (from: EditDraft) => {
    setSaving(true);
    setError('');
    try {
      const saved = await saveText({ item, base: from.base, text: from });
      items.applyResponse(saved);
      const { current } = written;
      // Text typed during a save is a change to the saved version.
      if (current && !isSameText(current, from)) setDraft({ ...current, base: baseOf(saved) });
      else close();
    } catch (error) {
      // The newer text is shown, and the user chooses between the two.
      if (error instanceof TextConflict) items.applyResponse(error.newer);
      else setError(`Not saved. ${errorMessage(error)}`);
    } finally {
      setSaving(false);
    }
  };
  const write = (change: Partial<ItemText>) => {
    const next = { ...draft, ...change };
    // Nothing is kept of an edit that was taken back.
    const isAsBefore = isSameText(next, base) && isSameText(base, present);
    setDraft(isAsBefore ? null : next);
  };
  // The user looks at the result before saving it over the newer version.
  const keep = (text: ItemText) => {
    setDraft({ ...text, base: baseOf(item) });
    setChoices(choices + 1);
  };

  return (
    <TextForm
      label="Edit"
      titleLabel={titleLabel}
      placeholder={item.kind === 'todo' ? 'Add a description (Markdown)' : 'Write a note (Markdown)'}
      rows={8}
      maxContent={maxContent}
      startsInContent={startsInContent}
      hubId={item.hubId}
      fieldsKey={choices}
      text={text}
      onWrite={write}
      failure={failure}
      submitLabel="Save"
      saver={saver}
      canSave={isOverwriting || isComplete(item, text)}
      isSaving={isSaving}
      onSave={() => (isOverwriting ? choice.current?.focus() : void save(draft))}
      cancelLabel={isSameText(text, base) ? 'Cancel' : 'Discard changes'}
      onCancel={discard}
      // Escape keeps the draft for the next time.
      onEscape={() => (isSameText(text, base) ? close() : onDone())}
    >
      {isOverwriting && (
        <ConflictBanner
          box={choice}
          item={item}
          base={base}
          present={present}
          mine={text}
          onChoose={keep}
          onTheirs={discard}
        />
      )}
    </TextForm>
  );
}

interface TextFormProps {
  label: string;
  titleLabel: string;
  placeholder: string;
  rows: number;
  maxContent: number;
  startsInContent?: boolean;
  hubId: string;
  /** Fields with another key start over. */
  fieldsKey?: number;
  text: ItemText;
  onWrite: (change: Partial<ItemText>) => void;
  /** Shown instead of the buttons. */
  children?: ComponentChildren;
  failure: string;
  submitLabel: string;
  saver?: RefObject<HTMLButtonElement | null>;
  canSave: boolean;
  isSaving: boolean;
  onSave: () => void;
  cancelLabel: string;
  onCancel: () => void;
  onEscape: () => void;
}

/** The form for the title, the content and the files of a note or a to-do. */
export function TextForm(props: TextFormProps) {
  const { label, titleLabel, text, onWrite, failure, isSaving, onSave, startsInContent = false } = props;
  const attached = useAttached(text.files ?? [], (files) => onWrite({ files }));
  const { files, uploads, add } = attached;
  const canSave = props.canSave && uploads.length === 0;
  const form = useRef<HTMLFormElement>(null);
  useDroppedFiles(form, add);
  const title = useRef<HTMLInputElement>(null);
  const problem = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = title;
    if (startsInContent || !current) return;
    // The beginning of a title that is longer than its field.
    if (current.scrollWidth > current.clientWidth) current.setSelectionRange(0, 0);
    current.focus();
  }, []);
  // Below a long text, it may be out of view.
  useLayoutEffect(() => problem.current?.scrollIntoView({ block: 'nearest' }), [failure]);
  return (
    <form
      class="text-editor"
      ref={form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave && !isSaving) onSave();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        // Escape may also cancel the composition of a character.
        if (event.key !== 'Escape' || event.isComposing) return;
        event.stopPropagation();
        props.onEscape();
      }}
    >
      <input
        key={`title ${props.fieldsKey}`}
        ref={title}
        class="title-field"
        type="text"
        aria-label={titleLabel}
        placeholder={titleLabel}
        value={text.title}
        onInput={({ currentTarget }) => onWrite({ title: currentTarget.value })}
      />
      <div class="composer is-field">
        {files.length + uploads.length > 0 && <Attachments hubId={props.hubId} {...attached} />}
        <MarkdownArea
          key={props.fieldsKey}
          label="Content (Markdown)"
          placeholder={props.placeholder}
          value={text.content}
          onChange={(content) => onWrite({ content })}
          rows={props.rows}
          hubId={props.hubId}
          maxCodePoints={props.maxContent}
          isFocused={startsInContent}
          onKey={() => false}
          onFiles={add}
        />
      </div>
      {failure !== '' && (
        <p class="banner is-bad" role="alert" ref={problem}>
          {failure}
        </p>
      )}
      {props.children || (
        <div class="actions">
          <button
            class="btn is-main"
            type="submit"
            ref={props.saver ?? null}
            disabled={!canSave}
            aria-disabled={isSaving}
          >
            {props.submitLabel}
          </button>
          <Button variant="is-bare" label={props.cancelLabel} onClick={props.onCancel} />
        </div>
      )}
    </form>
  );
}

function isComplete({ kind }: Note | Todo, { title, content }: ItemText): boolean {
  return !isBlank(kind === 'todo' ? title : content);
}
