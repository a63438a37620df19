const META = 'meta[name="hub-post-worker"]';
/** Where the server has the script that works while no page is open. */
export const SERVICE_WORKER = '/service-worker.js';

/** What the browser takes for the address of a script, under the policy of the page. */
interface TrustedPolicies {
  createPolicy(
    name: 'hub',
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

/** The address of the worker that the page names. */
export function postWorkerAddress(): string {
  return document.querySelector<HTMLMetaElement>(META)?.content ?? '';
}

let policy: ReturnType<TrustedPolicies['createPolicy']> | undefined;

/**
 * The address of one of our two workers, so that the browser takes it. The policy of the page lets nothing become a script but what
 * comes through our Trusted Types policy, and that lets these two addresses through.
 */
export function trustedScript(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedPolicies };
  policy ??= trustedTypes?.createPolicy('hub', {
    createScriptURL: (asked) => {
      if (asked !== postWorkerAddress() && asked !== SERVICE_WORKER)
        throw new TypeError('This is no script of the Hub');
      return asked;
    },
  });
  return policy?.createScriptURL(address) ?? address;
}
