import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type MailTransport, smtpTransport } from '../../../../apps/api/src/for-tests.ts';
import { pemOf } from './certificates.ts';

interface ReceivedMail {
  to: string;
  headers: string;
  /** Both parts, decoded. */
  body: string;
  isEncrypted: boolean;
}

/** Returns the reply code with which the server rejects a mail; `null` accepts it. */
type Reject = (to: string, at: 'RCPT TO' | 'DATA') => number | null;

/** A real mail server on loopback. `transport` sends to it with a user name and a password over STARTTLS, or over TLS. */
export async function startMailServer({ isTls = false, offersTls = true } = {}) {
  const mails: ReceivedMail[] = [];
  const state = { reject: (() => null) as Reject, password: 'the password of mail' };
  const answer = (to: string, at: 'RCPT TO' | 'DATA') => {
    const responseCode = state.reject(to, at);
    return responseCode === null ? null : Object.assign(new Error('rejected by the test'), { responseCode });
  };
  const server = new SMTPServer({
    secure: isTls,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    key: readFileSync(pemOf('first', 'key')),
    cert: readFileSync(pemOf('first', 'cert')),
    onAuth: ({ username, password }, _session, done) =>
      username === 'hub' && password === state.password ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo: ({ address }, _session, done) => done(answer(address, 'RCPT TO')),
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? '';
        const rejection = answer(to, 'DATA');
        const [headers = '', ...body] = decoded(Buffer.concat(chunks).toString()).split('\n\n');
        if (!rejection) mails.push({ to, headers, body: body.join('\n\n'), isEncrypted: secure });
        done(rejection);
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, 'localhost');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const security = isTls ? ('tls' as const) : ('starttls' as const);
  const address = { host: 'localhost', port, security, user: 'hub', caFile: pemOf('first', 'cert') };
  const transport = (more: Partial<Parameters<typeof smtpTransport>[0]> = {}): MailTransport =>
    smtpTransport({ ...address, password: state.password, ...more }, { name: '', address: 'hub@example.org' });
  return Object.assign(state, {
    mails,
    port,
    transport,
    /** Returns the only mail to this address, and forgets it. */
    take: (to: string): ReceivedMail => {
      const [mail, ...others] = mails.filter((each) => each.to === to);
      if (!mail || others.length > 0) throw new Error(`${others.length + (mail ? 1 : 0)} mails to ${to}, not one`);
      mails.splice(mails.indexOf(mail), 1);
      return mail;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

/** Decodes quoted-printable (RFC 2045, section 6.7). */
function decoded(text: string): string {
  const bytes = text
    .replaceAll('\r', '')
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replaceAll(/%(?![0-9A-F]{2})/g, '%25'));
}

/** Returns the path and the token of the link in a mail. */
export function linkIn({ body }: ReceivedMail): { path: string; token: string } {
  const [, path = '', token = ''] = /(\/[\w-]+)#(hub_lnk_\w{40})/.exec(body) ?? [];
  return { path, token };
}
