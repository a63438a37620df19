import { useState } from 'preact/hooks';
import { wordsOf } from '../api/request.ts';

interface ComposerProps {
  /** What it writes to, for its label: "Message to Deploys". */
  label: string;
  hubId: string;
  /** Under which the draft is kept in this browser: the Hub's id, or that of the message that is replied to. */
  draftKey: string;
  /** Resolves once the server has it. What it rejects with is shown, and the text stays. */
  onSend: (text: string) => Promise<void>;
}

/** Where one writes. Enter sends, Shift and Enter break the line. */
export function Composer({ label, onSend }: ComposerProps) {
  const [text, setText] = useState('');
  const [trouble, setTrouble] = useState('');
  const send = async () => {
    if (text.trim() === '') return;
    setTrouble('');
    try {
      await onSend(text);
      setText('');
    } catch (error) {
      setTrouble(wordsOf(error));
    }
  };
  return (
    <form
      class="composer"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {trouble !== '' && <p role="alert">{trouble}</p>}
      <textarea
        rows={1}
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
    </form>
  );
}
