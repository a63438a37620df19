import { useState } from 'preact/hooks';
import { errorMessage } from '../data/request.ts';

/**
 * State of a form. Allows one submission at a time. An error stays until the next submission or `forget`. Input is
 * kept.
 */
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
