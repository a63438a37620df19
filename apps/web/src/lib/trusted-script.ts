const META = 'meta[name="hub-post-worker"]';
export const SERVICE_WORKER = '/service-worker.js';

/** The part of the Trusted Types API that is used here. */
interface TrustedPolicies {
  createPolicy(
    name: 'hub',
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

/** Returns the worker URL given in the page. */
export function postWorkerAddress(): string {
  return document.querySelector<HTMLMetaElement>(META)?.content ?? '';
}

let policy: ReturnType<TrustedPolicies['createPolicy']> | undefined;

/**
 * Returns the trusted URL of one of our two workers. The page's policy allows scripts only through our Trusted Types
 * policy, which allows these two URLs.
 */
export function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedPolicies };
  policy ??= trustedTypes?.createPolicy('hub', {
    createScriptURL: (address) => {
      if (address !== postWorkerAddress() && address !== SERVICE_WORKER) throw new TypeError('Unknown script URL');
      return address;
    },
  });
  return policy?.createScriptURL(address) ?? address;
}
