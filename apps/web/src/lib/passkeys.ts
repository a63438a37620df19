/** Passkeys of this browser, in the JSON form of Web Authentication, level 3 (section 5.1). */

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

export async function createPasskey(options: object): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  return textOf(() => navigator.credentials.create({ publicKey }));
}

export async function getPasskey(options: object): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return textOf(() => navigator.credentials.get({ publicKey }));
}

async function textOf(ask: () => Promise<Credential | null>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    throw new Error(REASONS[error instanceof Error ? error.name : ''] ?? 'Your browser could not use a passkey.');
  }
}

const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: you canceled, or it took too long. Try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys need HTTPS, and an address with a name.',
};
