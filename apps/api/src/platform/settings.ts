import { LIMITS } from '@hub/contract';
import type { Schema } from './config-schemas.ts';
import * as schemas from './config-schemas.ts';

export interface Setting<T, D> {
  readonly name: string;
  /** Markdown for docs/configuration.md, which is generated from this table. */
  readonly doc: string;
  readonly schema: Schema<T>;
  readonly default: D;
  /** How the documentation describes the default, if it is `null` or a list. */
  readonly defaultDoc?: string;
  /** A secret may also be given as NAME_FILE, and its value is never shown. */
  readonly secret?: true;
}

function setting<T, const D extends T | null>(definition: Setting<T, D>): Setting<T, D> {
  return definition;
}

/** All settings. This is the only definition of their names, defaults and valid values. */
export const settings = {
  dataDir: setting({
    name: 'HUB_DATA_DIR',
    doc: 'The data directory: it holds the database, its snapshots and the admin socket. The server creates it with mode 0700 if it does not exist. Only one server at a time can use it.',
    schema: schemas.filePath,
    default: './data',
  }),
  databaseUrl: setting({
    name: 'HUB_DATABASE_URL',
    doc: 'The PostgreSQL database (version 15 or newer) that holds the workspace, so that [several nodes](postgresql.md) can serve it. Without it, the workspace is in a SQLite file in `HUB_DATA_DIR`, which one server uses.',
    schema: schemas.databaseUrl,
    default: null,
    secret: true,
  }),
  databasePool: setting({
    name: 'HUB_DATABASE_POOL',
    doc: 'How many connections to PostgreSQL this node opens at most ([what they are for](postgresql.md#connections)). `max_connections` of PostgreSQL must be more than the sum over all nodes.',
    schema: schemas.integerBetween(10, 1_000),
    default: 26,
  }),
  host: setting({
    name: 'HUB_HOST',
    doc: 'The address to listen on. `127.0.0.1` serves this machine only, `0.0.0.0` every IPv4 interface, `::` every IPv6 and IPv4 interface. Beyond this machine, use TLS or a proxy that provides it.',
    schema: schemas.host,
    default: '127.0.0.1',
  }),
  port: setting({ name: 'HUB_PORT', doc: 'The TCP port to listen on.', schema: schemas.port, default: 3000 }),
  baseUrl: setting({
    name: 'HUB_BASE_URL',
    doc: 'The address at which members reach the server. Links begin with it, and the `Origin` that browsers send must match it. Set it when the server is behind a proxy; without it, the server uses the `Host` of each request.',
    schema: schemas.origin,
    default: null,
  }),
  tlsCertFile: setting({
    name: 'HUB_TLS_CERT_FILE',
    doc: 'The certificate chain (PEM) for HTTPS. Set it together with `HUB_TLS_KEY_FILE`. The server rereads both files when they change.',
    schema: schemas.filePath,
    default: null,
  }),
  tlsKeyFile: setting({
    name: 'HUB_TLS_KEY_FILE',
    doc: 'The private key (PEM, without a passphrase) of the certificate.',
    schema: schemas.filePath,
    default: null,
  }),
  trustedProxies: setting({
    name: 'HUB_TRUSTED_PROXIES',
    doc: 'The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers the server trusts. From any other address, it ignores both headers.',
    schema: schemas.addressRanges,
    default: [],
    defaultDoc: 'none',
  }),
  adminSocket: setting({
    name: 'HUB_ADMIN_SOCKET',
    doc: 'The unix socket through which `hubctl` on this machine administers the server without a login (mode 0600). The path can be at most 107 bytes long on Linux and 103 on macOS.',
    schema: schemas.filePath,
    default: null,
    defaultDoc: '`admin.sock` in `HUB_DATA_DIR`',
  }),
  secretsKey: setting({
    name: 'HUB_SECRETS_KEY',
    doc: 'Encrypts the secrets that the database holds, so that a copy of it does not contain them ([details](operations.md#encrypted-secrets)). All nodes need the same. To replace a key, put the new one in front of it and restart.',
    schema: schemas.encryptionKeys,
    default: [],
    defaultDoc: 'none: they are stored in plain text',
    secret: true,
  }),
  logLevel: setting({
    name: 'HUB_LOG_LEVEL',
    doc: 'The lowest level of log records that the server writes to standard output.',
    schema: schemas.oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
  }),
  logFormat: setting({
    name: 'HUB_LOG',
    doc: 'How the server writes log records: `json` is complete and for programs, `text` is short and for people ([examples](operations.md#the-log)).',
    schema: schemas.oneOf('json', 'text'),
    default: null,
    defaultDoc: '`text` on a terminal, otherwise `json`',
  }),
  push: setting({
    name: 'HUB_PUSH',
    doc: "Whether the server sends push notifications to browsers without an open page ([details](notifications.md)). Browsers' push services are external hosts that the server must be able to reach over https. They see when a browser gets a notification, but not its content. Browsers subscribe only if the pages are served over https. `local` is for development: it also allows push services on this machine or without https.",
    schema: schemas.oneOf('on', 'off', 'local'),
    default: 'on',
  }),
  pushContact: setting({
    name: 'HUB_PUSH_CONTACT',
    doc: 'Where push services can reach you if something is wrong with the notifications of this server. Some reject notifications without a contact. Without this setting, it is the https address of the server: `HUB_BASE_URL`, or the one with which a browser subscribed.',
    schema: schemas.contactUrl,
    default: null,
    defaultDoc: 'the https address of the server',
  }),
  maxKeysPerHub: setting({
    name: 'HUB_MAX_KEYS_PER_HUB',
    doc: "How many active API keys a Hub can have: keys that are neither revoked nor expired, and have no successor. Beyond that, issuing a key returns 409. Rotating and replacing keys always works. `hubctl` on the server's machine is exempt.",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 100,
  }),
  maxLiveConnections: setting({
    name: 'HUB_MAX_LIVE_CONNECTIONS',
    doc: "How many [live connections](live.md#open-a-connection) a user can have at the same time, across all of their sessions and tokens. Further connections get 429 with `Retry-After`. `hubctl` on the server's machine is exempt.",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 20,
  }),
  maxRequestsPerMinute: setting({
    name: 'HUB_MAX_REQUESTS_PER_MINUTE',
    doc: "How many requests to `/api/v1` a user can send within any 60 seconds. Requests from sessions and from tokens are counted separately, so that a program does not block the web app. Further requests get 429 with `Retry-After`. `hubctl` on the server's machine is exempt. API keys have [their own limit](public-api.md).",
    schema: schemas.integerBetween(1, 1_000_000),
    default: 1_200,
  }),
  maxFileBytes: setting({
    name: 'HUB_MAX_FILE_BYTES',
    doc: 'The size of the largest file that programs and members can upload. A proxy in front must allow bodies of this size, too.',
    schema: schemas.integerBetween(1, 1024 ** 3),
    default: LIMITS.fileBytes,
  }),
  filesMaxBytes: setting({
    name: 'HUB_FILES_MAX_BYTES',
    doc: 'The total size of all files of the workspace. Beyond that, uploads get 413. From 90 % on, `hubctl status` and `hubctl doctor` warn.',
    schema: schemas.integerBetween(0, 1024 ** 5),
    default: 10 * 1024 ** 3,
  }),
  drainSeconds: setting({
    name: 'HUB_DRAIN_SECONDS',
    doc: 'How long a stopping server still serves requests while `GET /readyz` returns 503, so that a load balancer takes it out before its port closes. Set it to a little more than the interval of the health checks times the failures that the balancer waits for. Without a load balancer, leave it at 0.',
    schema: schemas.integerBetween(0, 300),
    default: 0,
  }),
  oidcIssuer: setting({
    name: 'HUB_OIDC_ISSUER',
    doc: 'The OpenID Connect provider with which users can [sign in](sign-in.md), such as Keycloak, Authentik, Entra ID or Google.',
    schema: schemas.issuer,
    default: null,
  }),
  oidcClientId: setting({
    name: 'HUB_OIDC_CLIENT_ID',
    doc: 'The id under which this server is registered at the provider.',
    schema: schemas.text,
    default: null,
  }),
  oidcClientSecret: setting({
    name: 'HUB_OIDC_CLIENT_SECRET',
    doc: 'The secret that the provider has given to this server.',
    schema: schemas.text,
    default: null,
    secret: true,
  }),
  oidcName: setting({
    name: 'HUB_OIDC_NAME',
    doc: 'What users call the provider: the button says "Sign in with" and this name.',
    schema: schemas.text,
    default: 'single sign-on',
  }),
  oidcScopes: setting({
    name: 'HUB_OIDC_SCOPES',
    doc: 'The scopes to ask the provider for, besides `openid`. Add `offline_access` if the provider gives refresh tokens only for it.',
    schema: schemas.words,
    default: ['email', 'profile'],
    defaultDoc: '`email,profile`',
  }),
  oidcAllowedDomains: setting({
    name: 'HUB_OIDC_ALLOWED_DOMAINS',
    doc: 'Only users with an e-mail address in one of these domains may sign in with the provider.',
    schema: schemas.words,
    default: [],
    defaultDoc: 'all',
  }),
  oidcAllowedGroups: setting({
    name: 'HUB_OIDC_ALLOWED_GROUPS',
    doc: 'Only users in one of these groups may sign in with the provider. Users who leave them are signed out within an hour.',
    schema: schemas.words,
    default: [],
    defaultDoc: 'all',
  }),
  oidcGroupsClaim: setting({
    name: 'HUB_OIDC_GROUPS_CLAIM',
    doc: 'The claim that lists the groups of a user.',
    schema: schemas.text,
    default: 'groups',
  }),
  oidcAdminGroups: setting({
    name: 'HUB_OIDC_ADMIN_GROUPS',
    doc: 'Users in one of these groups are admins, and the others are members. Without it, the provider does not decide about roles. It never changes owners.',
    schema: schemas.words,
    default: [],
    defaultDoc: 'none',
  }),
  oidcSignUp: setting({
    name: 'HUB_OIDC_SIGN_UP',
    doc: 'Who gets an account with the first sign-in: everybody whom the provider lets in (`auto`), or only who was invited.',
    schema: schemas.oneOf('invited', 'auto'),
    default: 'invited',
  }),
  oidcRedirect: setting({
    name: 'HUB_OIDC_REDIRECT',
    doc: 'With `on`, the sign-in page opens the provider at once. The page with the password stays at `/?sign-in=password`.',
    schema: schemas.oneOf('on', 'off'),
    default: 'off',
  }),
  passwordSignIn: setting({
    name: 'HUB_PASSWORD_SIGN_IN',
    doc: 'Whether users can sign in with a password. With `off`, only the provider is left. Setup links and reset links still work, so that the local admin can let users in.',
    schema: schemas.oneOf('on', 'off'),
    default: 'on',
  }),
  smtpUrl: setting({
    name: 'HUB_SMTP_URL',
    doc: 'The mail server through which Hub sends [mail](operations.md#mail): invitations, links for forgotten passwords, and notices. Without it, no mail is sent. It needs `HUB_MAIL_FROM` and `HUB_BASE_URL`.',
    schema: schemas.smtpUrl,
    default: null,
    secret: true,
  }),
  mailFrom: setting({
    name: 'HUB_MAIL_FROM',
    doc: 'The sender of mails. Without a name, it is the name of the workspace.',
    schema: schemas.mailbox,
    default: null,
  }),
  metricsToken: setting({
    name: 'HUB_METRICS_TOKEN',
    doc: 'If set, the public listener serves `GET /metrics` to requests with `Authorization: Bearer <token>`. Otherwise, only the admin socket serves the metrics.',
    schema: schemas.bearerSecret,
    default: null,
    secret: true,
  }),
};
