import { postWorkerAddress, trustedScript } from '../ui/trusted-script.ts';

/** Starts the worker that the page names. */
export function startPostWorker(): Worker {
  return new Worker(trustedScript(postWorkerAddress()), { type: 'module' });
}
