import { hkdfSync } from 'node:crypto';
import type * as OpenId from 'openid-client';
import type { ProviderSettings } from '../../platform/config.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import { decrypt, encrypt } from '../../platform/secret-box.ts';

/** The claims of the provider about a user, at a sign-in or when it is asked again. */
export interface Claims {
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  groups: readonly string[];
  /** When the user last entered something at the provider (`auth_time`), in milliseconds; `null` if it does not say. */
  signedInAt: number | null;
  /** With it, the provider can be asked again; `null`: the one before is still valid, or there is none. */
  refreshToken: string | null;
}

/** The state of a sign-in, which the browser keeps in a cookie that no page can read until it comes back. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
  /** The path to open after signing in. */
  then: string;
  /** Whether a signed-in user confirms a change, so that an earlier sign-in at the provider is not enough. */
  isConfirmation: boolean;
}

/** The provider has rejected a sign-in, or knows the user no more. */
export class ProviderRejection extends Error {}

/** The purpose of the key that is made from the client secret. */
const TOKEN_PURPOSE = 'refresh tokens';
const TIMEOUT_SECONDS = 10;
/** How recent the sign-in at the provider must be that confirms a session, in seconds (`max_age`). */
const CONFIRMATION_AGE_SECONDS = 60;
/** How long the provider is not asked again after it could not be reached. */
const RETRY_MS = 5_000;

interface ProviderOptions {
  settings: ProviderSettings;
  clock: Clock;
  random: Random;
  log: Log;
}

/**
 * The OpenID Connect provider (OpenID Connect Core 1.0), asked with the authorization code flow, PKCE (RFC 7636), `state` and
 * `nonce`. It is looked up when it is first needed: if it is away, the server starts, and passwords still work.
 */
export class IdentityProvider {
  readonly settings: ProviderSettings;
  readonly #key: Uint8Array;
  #configuration: Promise<{ openId: typeof OpenId; configuration: OpenId.Configuration }> | undefined;
  #failedAt: number | undefined;
  #lookedUpAt: number | undefined;
  /** Why the provider could not be looked up the last time; `null` if it could, or was not needed yet. */
  problem: string | null = null;
  /** By how much the clock of this server is ahead of that of the provider, in milliseconds, by its last response. */
  clockDifferenceMs: number | null = null;

  constructor(private readonly options: ProviderOptions) {
    const { settings } = options;
    this.settings = settings;
    this.#key = new Uint8Array(hkdfSync('sha256', settings.oidcClientSecret, settings.oidcIssuer, TOKEN_PURPOSE, 32));
  }

  /** Looks the provider up again, so that `problem` and `clockDifferenceMs` are current. Never rejects. */
  async check(): Promise<void> {
    const age = this.options.clock.monotonic() - (this.#lookedUpAt ?? Number.NEGATIVE_INFINITY);
    await (age < RETRY_MS ? this.#discover() : this.#begin()).catch(() => {});
  }

  /** Returns the address to send the browser to, and what it keeps until it comes back. */
  async begin(
    origin: string,
    { then, isConfirmation }: Pick<PendingSignIn, 'then' | 'isConfirmation'>,
  ): Promise<{ url: URL; pending: PendingSignIn }> {
    const { openId, configuration } = await this.#discover();
    const pending = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      verifier: openId.randomPKCECodeVerifier(),
      then,
      isConfirmation,
    };
    const url = openId.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUrl(origin),
      scope: ['openid', ...this.settings.oidcScopes].join(' '),
      code_challenge: await openId.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      state: pending.state,
      nonce: pending.nonce,
      ...(isConfirmation && { prompt: 'login', max_age: String(CONFIRMATION_AGE_SECONDS) }),
    });
    return { url, pending };
  }

  /**
   * Returns who has signed in, from the query with which the provider has sent the browser back.
   * @throws ProviderRejection unless it is a valid response to `pending`; other errors if the provider is away.
   */
  async finish(origin: string, query: string, pending: PendingSignIn): Promise<Claims> {
    const { openId, configuration } = await this.#discover();
    const url = new URL(`${redirectUrl(origin)}?${query}`);
    const tokens = await rejecting(openId, () =>
      openId.authorizationCodeGrant(configuration, url, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
        ...(pending.isConfirmation && { maxAge: CONFIRMATION_AGE_SECONDS }),
      }),
    );
    const claims = await this.#claimsOf(tokens, tokens.claims()?.sub);
    // Such a request has `prompt=login`, and `maxAge` has been checked.
    return pending.isConfirmation ? { ...claims, signedInAt: this.options.clock.now() } : claims;
  }

  /**
   * Asks again about a user.
   * @throws ProviderRejection if the provider does not let this user in any more; other errors if it is away.
   */
  async ask(subject: string, refreshToken: string): Promise<Claims> {
    const { openId, configuration } = await this.#discover();
    const tokens = await rejecting(openId, () => openId.refreshTokenGrant(configuration, refreshToken));
    return this.#claimsOf(tokens, subject);
  }

  /** Returns where to sign out at the provider; `null` if it does not offer that. */
  async signOutUrl(origin: string): Promise<string | null> {
    const { openId, configuration } = await this.#discover();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return openId.buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${origin}/` }).href;
  }

  /** Encrypts a refresh token with a key that only the configuration has. */
  encrypt(token: string): Uint8Array {
    return encrypt(this.#key, this.options.random, Buffer.from(token), TOKEN_PURPOSE);
  }

  /** Returns `null` if it was encrypted with another client secret. */
  decrypt(bytes: Uint8Array): string | null {
    const token = decrypt(this.#key, bytes, TOKEN_PURPOSE);
    return token && Buffer.from(token).toString('utf8');
  }

  async #claimsOf(
    tokens: OpenId.TokenEndpointResponse & OpenId.TokenEndpointResponseHelpers,
    subject: string | undefined,
  ): Promise<Claims> {
    const { openId, configuration } = await this.#discover();
    if (subject === undefined) throw new ProviderRejection('the provider sent no ID token');
    const claims: Record<string, unknown> = { ...tokens.claims() };
    const { oidcGroupsClaim } = this.settings;
    // Many providers have only the subject in the ID token.
    if (configuration.serverMetadata().userinfo_endpoint !== undefined && !(claims.email && claims[oidcGroupsClaim])) {
      const info = await rejecting(openId, () => openId.fetchUserInfo(configuration, tokens.access_token, subject));
      Object.assign(claims, info);
    }
    if (claims.sub !== subject) throw new ProviderRejection('the provider answered for another user');
    const groups = claims[oidcGroupsClaim];
    return {
      subject,
      email: typeof claims.email === 'string' ? claims.email : null,
      isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
      name: [claims.name, claims.preferred_username].find((name): name is string => typeof name === 'string') ?? null,
      signedInAt: typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null,
      groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
      refreshToken: tokens.refresh_token ?? null,
    };
  }

  #discover() {
    const { clock } = this.options;
    const isWaiting = this.#failedAt !== undefined && clock.monotonic() - this.#failedAt < RETRY_MS;
    if (!this.#configuration || (this.#failedAt !== undefined && !isWaiting)) return this.#begin();
    return this.#configuration;
  }

  #begin() {
    const { clock, log } = this.options;
    this.#failedAt = undefined;
    this.#lookedUpAt = clock.monotonic();
    const lookUp = this.#lookUp();
    this.#configuration = lookUp;
    lookUp.then(
      () => {
        this.problem = null;
      },
      (err: unknown) => {
        this.#failedAt = clock.monotonic();
        this.problem = (err as Error).message;
        log.error({ err }, 'The OpenID Connect provider cannot be looked up');
      },
    );
    return lookUp;
  }

  /** Loaded when it is needed, so that a start without a provider costs nothing. */
  async #lookUp() {
    const openId = await import('openid-client');
    const { oidcIssuer, oidcClientId, oidcClientSecret } = this.settings;
    const execute = [
      // The signatures of ID tokens are checked although they come straight from the provider.
      openId.enableNonRepudiationChecks,
      ...(oidcIssuer.startsWith('http:') ? [openId.allowInsecureRequests] : []),
    ];
    const configuration = await openId.discovery(new URL(oidcIssuer), oidcClientId, oidcClientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
      [openId.customFetch]: async (url, options) => {
        const response = await fetch(url, options as RequestInit);
        const date = Date.parse(response.headers.get('date') ?? '');
        // It has whole seconds: on average, half a second has passed since.
        if (!Number.isNaN(date)) this.clockDifferenceMs = this.options.clock.now() - (date + 500);
        return response;
      },
    });
    return { openId, configuration };
  }
}

/** The address to which the provider sends the browser back. It has to be registered there. */
export function redirectUrl(origin: string): string {
  return `${origin}/sign-in/callback`;
}

/** Turns what the provider has rejected, or answered wrongly, into a `ProviderRejection`. */
async function rejecting<T>(openId: typeof OpenId, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isRejected =
      error instanceof openId.AuthorizationResponseError ||
      error instanceof openId.WWWAuthenticateChallengeError ||
      (error instanceof openId.ResponseBodyError && error.status < 500) ||
      (error instanceof openId.ClientError && !isAway(error));
    throw isRejected ? new ProviderRejection(reasonOf(error), { cause: error }) : error;
  }
}

/** Whether there was no usable response at all. */
function isAway({ code, cause }: OpenId.ClientError): boolean {
  if (code === undefined || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  return cause instanceof Response && cause.status >= 500;
}

function reasonOf(error: unknown): string {
  const { error: code, message } = error as { error?: unknown; message: string };
  return typeof code === 'string' ? code : message;
}
