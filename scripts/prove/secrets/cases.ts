import { BASE62, type IssuedPersonalToken } from '@hub/contract';
import { type RawResponse, rawRequest, type ServerProcess, sendOnce, until, withConcurrency } from '@hub/testkit';
import type { Hunt } from './hunt.ts';
import { cookie, json, ME, MESSAGES, ORIGIN, type Parts, REDEEM, type SecretKind, SIGN_IN, usesOf } from './uses.ts';

const EMAIL = 'user@example.org';

const textOf = ({ head, body }: RawResponse): string => `${head}\r\n\r\n${body}`;
const afterHash = (link: string): string => link.slice(link.indexOf('#') + 1);
const ownPage = (session: string) => ({ ...cookie(session), Origin: ORIGIN });

/** Creates secrets of every kind on a server, and uses and misuses them. Everything that comes back is searched later. */
export function casesOn(hunt: Hunt, { admin }: ServerProcess, { port, hubId }: { port: number; hubId: string }) {
  let requests = 0;

  /** Sends a request from an address of its own, since every failure slows down its address, and checks the status. */
  const ask = async (name: string, status: number, parts: Parts): Promise<RawResponse> => {
    requests += 1;
    const address = `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`;
    // Unless the parts say otherwise, it posts a message.
    const { authorization, headers, ...rest } = { path: MESSAGES, body: '{"text":"Hello"}', ...parts };
    const credential = authorization === undefined ? {} : { Authorization: authorization };
    const fields = Object.entries({ 'X-Forwarded-For': address, ...credential, ...headers });
    const request = rawRequest({ ...rest, headers: fields.map(([field, value]) => `${field}: ${value}`) });
    const response = await sendOnce(port, request);
    hunt.expect(name, status, response.status, response.body.slice(0, 600));
    return response;
  };
  const askAndNote = async (name: string, status: number, parts: Parts): Promise<void> =>
    hunt.note(`the response to ${name}`, textOf(await ask(name, status, parts)));

  /** Returns the session that a response reveals in its cookie. The rest of the response is searched. */
  const takeSession = (name: string, response: RawResponse): string => {
    const session = /^hub_session=(\w+);/.exec(response.header('set-cookie') ?? '')?.[1] ?? '';
    hunt.noteWithout(`the response that reveals the session of ${name}`, textOf(response), session);
    return hunt.know(`the session of ${name}`, session);
  };
  const signIn = async (name: string, password: string): Promise<string> =>
    takeSession(name, await ask(name, 201, { ...SIGN_IN, ...json({ email: EMAIL, password }) }));

  /** Returns a password with the length and characters of the other secrets, so that it can be found in the same forms. */
  const newPassword = (name: string): string => {
    const bytes = crypto.getRandomValues(new Uint8Array(34));
    return hunt.knowText(name, [...bytes].map((byte) => BASE62[byte % BASE62.length]).join(''));
  };

  const newKey = async (name: string): Promise<string> => {
    const issued = await admin.issueKey({ hubId, name });
    hunt.knowIssued(name, issued);
    return issued.key;
  };

  /** Uses a link, and tries it a second time. Returns the password of the account. */
  const redeem = async (name: string, token: string, fields: object): Promise<string> => {
    const password = newPassword(`the password chosen with ${name}`);
    const parts = { ...REDEEM, ...json({ token, password, ...fields }) };
    takeSession(name, await ask(`${name} is used`, 201, parts));
    await askAndNote(`${name}, used twice`, 404, parts);
    return password;
  };

  const createSecrets = async (): Promise<Record<SecretKind, string>> => {
    const password = newPassword('a password');
    const body = { email: EMAIL, name: 'User', password };
    const { id: userId } = await admin.request('POST /users', { body });
    const session = await signIn('a sign-in', password);
    const making = { path: '/api/v1/me/tokens', headers: ownPage(session), ...json({ name: 'a token' }) };
    const made = await ask('the making of a token', 201, making);
    const { token } = JSON.parse(made.body) as IssuedPersonalToken;
    hunt.noteWithout('the response that reveals a token', textOf(made), token);
    const { link, ...rest } = await admin.request('POST /invitations', { body: { email: 'guest-1@example.org' } });
    hunt.note('the rest of an invitation', JSON.stringify(rest));
    const reset = await admin.request('POST /users/{userId}/password-reset', { userId });
    return {
      key: await newKey('a key'),
      token: hunt.know('a token', token),
      session,
      invitation: hunt.know('an invitation', afterHash(link)),
      reset: hunt.know('a reset', afterHash(reset.link)),
      password,
    };
  };

  return {
    newPassword,
    newKey,
    redeem,
    askAndNote,

    /** Uses and misuses a secret of each kind, and then ends it where the caller can. */
    async tryAll(): Promise<void> {
      const secrets = await createSecrets();
      for (const kind of Object.keys(secrets) as SecretKind[]) {
        await withConcurrency(usesOf(kind), async ({ name, status, parts, accepted = {}, isEcho }) => {
          const where = `a request with a ${kind} ${name}`;
          const sent = parts(secrets[kind], EMAIL);
          const response = await ask(where, accepted[kind] ?? status, sent);
          if (!isEcho) hunt.note(`the response to ${where}`, textOf(response));
        });
      }
      await redeem('an invitation', secrets.invitation, { name: 'Grace' });
      const currentPassword = await redeem('a reset', secrets.reset, {});
      await askAndNote('a session that the reset ended', 401, { ...ME, headers: cookie(secrets.session) });
      const next = await signIn('a sign-in after the reset', currentPassword);
      const change = {
        ...{ method: 'PUT', path: '/api/v1/me/password' },
        ...json({ currentPassword, newPassword: newPassword('a new password') }),
      };
      const changed = await ask('a change of password', 200, { ...change, headers: ownPage(next) });
      const last = takeSession('a change of password', changed);
      await askAndNote('a change with a wrong password', 400, { ...change, headers: ownPage(last) });
      const end = { method: 'DELETE', path: '/api/v1/session', body: '', headers: ownPage(last) };
      await askAndNote('the end of a session', 200, end);
    },

    /** Posts a key as text, which is stored, so this key must be found. It is used for nothing else. */
    async plant(): Promise<string> {
      const { key: planted } = await admin.issueKey({ hubId, name: 'planted' });
      const authorization = `Bearer ${await newKey('the carrier')}`;
      await ask('a post with a key', 201, { authorization, ...json({ text: `Oh, planted: ${planted}` }) });
      // The index is updated shortly afterwards, in a separate thread.
      const isFound = async () => (await admin.request('GET /search', { query: { q: 'planted' } })).items.length > 0;
      hunt.expect('the post is found', true, await until(20_000, isFound, 50));
      return planted;
    },
  };
}
