import { useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';

/** One form: it is sent once at a time, and says why if it failed, until that is forgotten. What was typed stays. */
export function useSubmit(send: () => Promise<void>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await send();
    } catch (error) {
      setError(errorMessage(error));
    }
    setBusy(false);
  };
  return { submit, isBusy, error: failure, forget: () => setError('') };
}
