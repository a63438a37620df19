import { useState } from 'preact/hooks';
import { wordsOf } from '../api/request.ts';

/** One form: it is sent once at a time, and says why if it failed, until that is forgotten. What was typed stays. */
export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble('');
    try {
      await send();
    } catch (error) {
      setTrouble(wordsOf(error));
    }
    setBusy(false);
  };
  return { submit, isBusy, trouble, forget: () => setTrouble('') };
}
