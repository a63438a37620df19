import { useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';

/** Runs one action at a time. An error message stays until the next action or `forget`. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await work();
    } catch (error) {
      setError(errorMessage(error));
    }
    setBusy(false);
  };
  return { run, isBusy, error: failure, forget: () => setError('') };
}

/** The state of a form. Input is kept when sending it fails. */
export function useSubmit(send: () => Promise<unknown>) {
  const { run, ...state } = useTask();
  const submit = (event: Event) => {
    event.preventDefault();
    return run(send);
  };
  return { ...state, submit };
}
