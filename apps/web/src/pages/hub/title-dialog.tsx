import type { Message } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { convert } from './message-actions.ts';

interface TitleDialogProps {
  message: Message;
  to: 'todo' | 'note';
  /** Why the server could not convert the message without a title. */
  text: string;
  onClose: () => void;
}

/** Asks for a title when the server cannot convert a message by itself. The content links to the message. */
export function TitleDialog({ message, to, text, onClose }: TitleDialogProps) {
  const workspace = useWorkspace();
  const id = useId();
  const [title, setTitle] = useState('');
  const noun = to === 'todo' ? 'to-do' : 'note';
  const make = () => {
    if (title.trim() === '') return;
    onClose();
    const content = `From [a message](${location.origin}/p/${message.id}).`;
    void convert(workspace, null, message, { to, title: title.trim(), content });
  };
  return (
    <Dialog
      title={`Name this ${noun}`}
      lead={text}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="button" disabled={title.trim() === ''} onClick={make}>
            Create {noun}
          </button>
        </>
      }
    >
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <label for={id}>Title</label>
        <input
          id={id}
          type="text"
          maxLength={255}
          value={title}
          autoComplete="off"
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
