import { BASE62, type IssuedKey, type IssuedPersonalToken } from '@hub/contract';
import {
  type Admin,
  type RawResponse,
  rawRequest,
  type ServerProcess,
  sendOnce,
  until,
  withConcurrency,
} from '@hub/testkit';
import type { Hunt } from './hunt.ts';
import {
  bearer,
  cookie,
  json,
  ME,
  MESSAGES,
  ORIGIN,
  type Parts,
  REDEEM,
  type SecretKind,
  SIGN_IN,
  usesOf,
} from './uses.ts';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Creates secrets of every kind on a server, and uses and misuses them. Everything that comes back is searched later. */
export class Cases {
  readonly #hunt: Hunt;
  readonly #admin: Admin;
  readonly #port: number;
  readonly #hubId: string;
  #accounts = 0;
  #requests = 0;

  constructor(hunt: Hunt, server: ServerProcess, { port, hubId }: { port: number; hubId: string }) {
    this.#hunt = hunt;
    this.#admin = server.admin;
    this.#port = port;
    this.#hubId = hubId;
  }

  async tryAll(): Promise<void> {
    const account = await this.#newAccount('a password');
    const session = await this.#signIn(account);
    const secrets: Record<SecretKind, string> = {
      key: (await this.newKey('a key')).key,
      token: await this.#newToken('a token', session),
      session,
      invitation: (await this.#invite('an invitation')).link,
      reset: await this.#newReset('a reset', account.id),
      password: account.password,
    };
    for (const kind of Object.keys(secrets) as SecretKind[]) {
      await withConcurrency(usesOf(kind), async ({ name, status, parts, accepted = {}, isEcho }) => {
        const where = `a request with a ${kind} ${name}`;
        // The request that ends a session gets one of its own.
        const secret = name === 'that is ended' ? await this.#signIn(account) : secrets[kind];
        const response = await this.#ask(where, accepted[kind] ?? status, parts(secret, account.email));
        if (!isEcho) this.#note(`the response to ${where}`, response);
      });
    }
    await this.#changeKeys();
    await this.#changeUser(account, session);
  }

  async newKey(name: string): Promise<IssuedKey> {
    const issued = await this.#admin.issueKey({ hubId: this.#hubId, name });
    this.#hunt.knowIssued(name, issued);
    return issued;
  }

  /** Returns a password with the length and characters of the other secrets, so that it can be found in the same forms. */
  readonly newPassword = (name: string): string => {
    const bytes = crypto.getRandomValues(new Uint8Array(34));
    return this.#hunt.knowText(name, [...bytes].map((byte) => BASE62[byte % BASE62.length]).join(''));
  };

  async tryKey(name: string, key: string, status: number): Promise<void> {
    this.#note(`the response to ${name}`, await this.#ask(name, status, bearer(key)));
  }

  /** Uses a link, and tries it a second time. */
  async redeem(name: string, token: string, fields: object): Promise<void> {
    const password = this.newPassword(`the password chosen with ${name}`);
    const parts = { ...REDEEM, ...json({ token, password, ...fields }) };
    this.#takeSession(name, await this.#ask(`${name} is used`, 201, parts));
    this.#note(`${name}, used twice`, await this.#ask(`${name} is used twice`, 404, parts));
  }

  /** Posts a key as text, which is stored, so this key must be found. It is used for nothing else. */
  async plant(): Promise<string> {
    const { key: planted } = await this.#admin.issueKey({ hubId: this.#hubId, name: 'planted' });
    const { key } = await this.newKey('the carrier');
    await this.#ask('a post with a key', 201, { ...bearer(key), ...json({ text: `Oh, planted: ${planted}` }) });
    // The index is updated shortly afterwards, in a separate thread.
    const isFound = async () =>
      (await this.#admin.request('GET /search', { query: { q: 'planted' } })).items.length > 0;
    this.#hunt.expect('the post is found', true, await until(20_000, isFound, 50));
    return planted;
  }

  /** Runs keys through their lifecycle: rotation, replacement and revocation. */
  async #changeKeys(): Promise<void> {
    const succeed = async ({ id: keyId }: IssuedKey, way: 'rotation' | 'replacement'): Promise<IssuedKey> => {
      const issued = await this.#admin.request(`POST /keys/{keyId}/${way}`, { keyId, body: {} });
      this.#hunt.knowIssued(`the key of a ${way}`, issued);
      return issued;
    };
    const first = await this.newKey('a key that is rotated');
    const rotated = await succeed(first, 'rotation');
    const replaced = await succeed(rotated, 'replacement');
    await this.#admin.revokeKey(replaced.id);
    await this.tryKey('a key in its overlap', first.key, 201);
    await this.tryKey('a key that was replaced', rotated.key, 401);
    await this.tryKey('a key that was revoked', replaced.key, 401);
  }

  /** Changes a password, disables the account, and uses links. Each credential is tried afterwards. */
  async #changeUser(account: Account, session: string): Promise<void> {
    const password = this.newPassword('a new password');
    const change = (currentPassword: string): Parts => ({
      ...{ method: 'PUT', path: '/api/v1/me/password', headers: { ...cookie(session), Origin: ORIGIN } },
      ...json({ currentPassword, newPassword: password }),
    });
    const wrong = change(this.newPassword('a wrong current password'));
    this.#note('a rejected change', await this.#ask('a change with a wrong password', 400, wrong));
    const changed = await this.#ask('a change of password', 200, change(account.password));
    const next = this.#takeSession('a change of password', changed);
    const asSession = (value: string): Parts => ({ ...ME, headers: cookie(value) });
    this.#note('an ended session', await this.#ask('a session that was ended by it', 401, asSession(session)));
    const token = await this.#newToken('a token of a disabled account', next);
    await this.#admin.request('POST /users/{userId}/deactivation', { userId: account.id });
    const disabled = [
      asSession(next),
      { ...ME, ...bearer(token) },
      { ...SIGN_IN, ...json({ email: account.email, password }) },
    ];
    const name = 'a credential of a disabled account';
    for (const parts of disabled) this.#note(name, await this.#ask(name, 401, parts));

    await this.redeem('an invitation', (await this.#invite('a used invitation')).link, {
      name: `Grace ${this.#accounts}`,
    });
    const { id } = await this.#newAccount('a forgotten password');
    await this.redeem('a reset', await this.#newReset('a used reset', id), {});
  }

  async #newAccount(name: string): Promise<Account> {
    this.#accounts += 1;
    const email = `user-${this.#accounts}@example.org`;
    const password = this.newPassword(name);
    const body = { email, name: `User ${this.#accounts}`, password };
    const { id } = await this.#admin.request('POST /users', { body });
    return { id, email, password };
  }

  async #signIn({ email, password }: Account): Promise<string> {
    const response = await this.#ask(`a sign-in of ${email}`, 201, { ...SIGN_IN, ...json({ email, password }) });
    return this.#takeSession(email, response);
  }

  /** Returns the session that a response reveals in its cookie. The rest of the response is searched. */
  #takeSession(name: string, response: RawResponse): string {
    const session = /^hub_session=(\w+);/.exec(response.header('set-cookie') ?? '')?.[1] ?? '';
    this.#hunt.noteWithout(`the response that reveals the session of ${name}`, textOf(response), session);
    return this.#hunt.know(`the session of ${name}`, session);
  }

  async #newToken(name: string, session: string): Promise<string> {
    const headers = { ...cookie(session), Origin: ORIGIN };
    const parts = { path: '/api/v1/me/tokens', headers, ...json({ name: 'a token' }) };
    const response = await this.#ask(`the making of ${name}`, 201, parts);
    const { token } = JSON.parse(response.body) as IssuedPersonalToken;
    this.#hunt.noteWithout(`the response that reveals ${name}`, textOf(response), token);
    return this.#hunt.know(name, token);
  }

  async #invite(name: string): Promise<{ id: string; link: string }> {
    this.#accounts += 1;
    const body = { email: `guest-${this.#accounts}@example.org` };
    const { link, ...rest } = await this.#admin.request('POST /invitations', { body });
    this.#hunt.note(`the rest of ${name}`, JSON.stringify(rest));
    return { id: rest.id, link: this.#hunt.know(name, link.slice(link.indexOf('#') + 1)) };
  }

  async #newReset(name: string, userId: string): Promise<string> {
    const { link } = await this.#admin.request('POST /users/{userId}/password-reset', { userId });
    return this.#hunt.know(name, link.slice(link.indexOf('#') + 1));
  }

  #note(where: string, response: RawResponse): void {
    this.#hunt.note(where, textOf(response));
  }

  /** Sends a request from an address of its own, since every failure slows down its address, and checks the status. */
  async #ask(name: string, status: number, parts: Parts): Promise<RawResponse> {
    this.#requests += 1;
    const address = `10.${this.#requests >> 16}.${(this.#requests >> 8) & 255}.${this.#requests & 255}`;
    // Unless the parts say otherwise, it posts a message.
    const { authorization, headers, ...rest } = { path: MESSAGES, body: '{"text":"Hello"}', ...parts };
    const credential = authorization === undefined ? {} : { Authorization: authorization };
    const fields = Object.entries({ 'X-Forwarded-For': address, ...credential, ...headers });
    const request = rawRequest({ ...rest, headers: fields.map(([field, value]) => `${field}: ${value}`) });
    const response = await sendOnce(this.#port, request);
    this.#hunt.expect(name, status, response.status, response.body.slice(0, 600));
    return response;
  }
}

const textOf = ({ head, body }: RawResponse): string => `${head}\r\n\r\n${body}`;
