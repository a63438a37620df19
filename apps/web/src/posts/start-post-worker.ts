import { postWorkerAddress, trustedScript } from '../ui/trusted-script.ts';

/** Starts the worker whose URL is in the page. */

export function startPostWorker(): Worker {
  return new Worker(trustedScript(postWorkerAddress()), { type: 'module' });
}
