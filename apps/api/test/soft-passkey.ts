import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A passkey as a device makes it (Web Authentication, level 3), with a P-256 key and no attestation. */
export class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 0;
  flags = USER_PRESENT | USER_VERIFIED;

  constructor(readonly origin: string) {}

  /** Returns the response to the options of a new passkey. */
  create({ challenge }: { challenge?: unknown }) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (label: number, value: string) => [label, 0x58, 32, ...Buffer.from(value, 'base64url')];
    // A COSE key (RFC 9053, section 7.1): EC2, ES256, P-256.
    const key = [0xa5, 1, 2, 3, 0x26, 0x20, 1, ...point(0x21, x), ...point(0x22, y)];
    const data = this.#authenticatorData(HAS_CREDENTIAL, [...Buffer.alloc(16), 0, this.id.length, ...this.id, ...key]);
    const text = (value: string) => [0x60 + value.length, ...Buffer.from(value)];
    const attestation = [0xa3, ...text('fmt'), ...text('none'), ...text('attStmt'), 0xa0];
    const attestationObject = [...attestation, ...text('authData'), 0x58, data.length, ...data];
    return this.#response({
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject: Buffer.from(attestationObject),
    });
  }

  /** Returns the response to the options of a sign-in. */
  get({ challenge }: { challenge?: unknown }) {
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const authenticatorData = this.#authenticatorData(0, []);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    return this.#response({
      clientDataJSON,
      authenticatorData,
      signature: sign('sha256', signed, this.#keys.privateKey),
    });
  }

  #authenticatorData(flags: number, rest: readonly number[]): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const relyingParty = createHash('sha256').update(new URL(this.origin).hostname).digest();
    return Buffer.concat([relyingParty, Buffer.from([this.flags | flags]), counter, Buffer.from(rest)]);
  }

  #clientData(type: string, challenge: unknown): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin }));
  }

  #response(parts: Record<string, Buffer>) {
    const id = this.id.toString('base64url');
    const response = Object.fromEntries(
      Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    );
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
