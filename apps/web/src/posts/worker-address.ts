const META = 'meta[name="hub-post-worker"]';

/** What the browser takes for the address of a script, under the policy of the page. */
interface TrustedPolicies {
  createPolicy(
    name: 'hub',
    rules: { createScriptURL(address: string): string },
  ): {
    createScriptURL(address: string): string;
  };
}

/**
 * Starts the worker that the page names. The policy of the page lets nothing become a script but what comes through our Trusted
 * Types policy, and that lets this one address through.
 */
export function startPostWorker(): Worker {
  return new Worker(trustedAddress(), { type: 'module' });
}

let trusted: string | undefined;

function trustedAddress(): string {
  if (trusted !== undefined) return trusted;
  const address = document.querySelector<HTMLMetaElement>(META)?.content ?? '';
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedPolicies };
  const policy = trustedTypes?.createPolicy('hub', {
    createScriptURL: (asked) => {
      if (asked !== address) throw new TypeError('This is no script of the Hub');
      return asked;
    },
  });
  trusted = policy?.createScriptURL(address) ?? address;
  return trusted;
}
