import { isIP } from 'node:net';

/** The format of a setting: `form` describes it, and `parse` returns the parsed value or throws a ConfigProblem. */
export interface Schema<T> {
  readonly form: string;
  readonly parse: (text: string) => T;
}

/** A problem with one value. The message completes a sentence that begins with the name of the variable. */
export class ConfigProblem extends Error {}

export const filePath: Schema<string> = { form: 'a path', parse: (text) => text };

export const host: Schema<string> = {
  form: 'an IP address or a host name of this machine',
  parse(text) {
    const bare = text.replace(/^\[(.*)\]$/, '$1');
    if (isIP(bare) !== 0 || /^(?!-)[0-9A-Za-z.-]{1,253}$/.test(bare)) return bare;
    const hint = /:\d+$/.test(bare) ? '; set the port in HUB_PORT' : '';
    throw new ConfigProblem(`must be an IP address or a host name such as 127.0.0.1 or 0.0.0.0, not "${text}"${hint}`);
  },
};

export const port: Schema<number> = {
  form: 'an integer from 0 to 65535; 0 takes any free port',
  parse(text) {
    const value = Number(text);
    if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
    throw new ConfigProblem(`must be an integer from 0 to 65535, not "${text}"`);
  },
};

export function integerBetween(min: number, max: number): Schema<number> {
  const form = `an integer from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  return {
    form,
    parse(text) {
      const value = Number(text);
      if (/^\d{1,16}$/.test(text) && value >= min && value <= max) return value;
      throw new ConfigProblem(`must be ${form}, not "${text}"`);
    },
  };
}

/** The scheme, host and port of a URL, called an origin in RFC 6454. */
export const origin: Schema<string> = {
  form: '`http://` or `https://` and a host, with a port if it is not the default one',
  parse(text) {
    const url = URL.parse(text);
    const quoted = url?.username || url?.password ? 'an address with a user or password in it' : `"${text}"`;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      throw new ConfigProblem(`must be an address such as https://hub.example.org, not ${quoted}`);
    }
    if (url.pathname !== '/' || url.search || url.hash) {
      throw new ConfigProblem(`must contain only the scheme, host and port: use ${url.origin}, not ${quoted}`);
    }
    return url.origin;
  },
};

/** How push services reach the operator (RFC 8292, section 2.1). */
export const contactUrl: Schema<string> = {
  form: '`mailto:` and an e-mail address, or an `https:` address',
  parse(text) {
    const url = URL.parse(text);
    if (url?.protocol === 'mailto:' && /^[^@\s]+@[^@\s]+$/.test(url.pathname)) return url.href;
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
    throw new ConfigProblem('must be an address such as mailto:ops@example.org or https://example.org/contact');
  },
};

/** Keys of 256 bits. */
export const encryptionKeys: Schema<readonly Uint8Array[]> = {
  form: '32 random bytes in base64, from `openssl rand -base64 32`; several are separated by commas or line breaks',
  parse(text) {
    const keys = text.split(/[\s,]+/).filter(Boolean);
    if (keys.every((key) => /^[0-9A-Za-z+/]{43}=?$/.test(key))) return keys.map((key) => Buffer.from(key, 'base64'));
    throw new ConfigProblem('must be keys of 32 bytes in base64: create one with `openssl rand -base64 32`');
  },
};

/** The address of a PostgreSQL database. It may contain a password, so it is never shown. */
export const databaseUrl: Schema<string> = {
  form: '`postgres://user:password@host:5432/database`; add `?sslmode=verify-full` to require TLS, and `&sslrootcert=/path/ca.pem` for a CA of your own; several hosts are separated by commas',
  parse(text) {
    if (readDatabaseAddress(text)) return text;
    throw new ConfigProblem(
      'must be an address such as postgres://hub:password@db.example.org:5432/hub, with special characters in the password ' +
        'percent-encoded (/ is %2F), and target_session_attrs=read-write or none',
    );
  },
};

/** An address, or a block of addresses in CIDR notation (RFC 4632, RFC 4291). */
export interface AddressRange {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefixBits: number;
}

export const addressRanges: Schema<readonly AddressRange[]> = {
  form: 'a comma-separated list of IP addresses or CIDR blocks, IPv4 or IPv6',
  parse(text) {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const wrong = parts.filter((part) => addressRange(part) === null).map((part) => `"${part}"`);
    if (wrong.length > 0) {
      const verdict = wrong.length === 1 ? 'is not valid' : 'are not valid';
      throw new ConfigProblem(
        `must list addresses or blocks such as 10.0.0.0/8, fd00::/8 or 192.0.2.7; ${wrong.join(', ')} ${verdict}`,
      );
    }
    return parts.map(addressRange).filter((range) => range !== null);
  },
};

function addressRange(text: string): AddressRange | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  const widest = version === 4 ? 32 : 128;
  const bits = prefix === undefined ? widest : Number(prefix);
  const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= widest);
  if (version === 0 || address.includes('%') || !prefixFits || rest.length > 0) return null;
  return { address, family: version === 4 ? 'ipv4' : 'ipv6', prefixBits: bits };
}

export function oneOf<const T extends string>(...words: T[]): Schema<T> {
  return {
    form: words.map((word) => `\`${word}\``).join(', '),
    parse(text) {
      const word = words.find((candidate) => candidate === text.toLowerCase());
      if (word === undefined) throw new ConfigProblem(`must be one of ${words.join(', ')}, not "${text}"`);
      return word;
    },
  };
}

const SECRET_CHARACTERS = 16;

/** A b64token (RFC 6750), since it is sent in an Authorization header. The value is never shown. */
export const bearerSecret: Schema<string> = {
  form: `at least ${SECRET_CHARACTERS} characters from \`A–Z a–z 0–9 - . _ ~ + / =\``,
  parse(text) {
    if (text.length >= SECRET_CHARACTERS && /^[0-9A-Za-z._~+/-]+=*$/.test(text)) return text;
    throw new ConfigProblem(
      `must have at least ${SECRET_CHARACTERS} characters from A-Z a-z 0-9 - . _ ~ + / =; generate one with: openssl rand -hex 32`,
    );
  },
};

/** The issuer of an OpenID Connect provider (OpenID Connect Discovery 1.0, section 3): https, or http on this machine. */
export const issuer: Schema<string> = {
  form: 'an `https:` address, or an `http:` one of this machine',
  parse(text) {
    const url = URL.parse(text);
    const isLocal = url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    if (url && (url.protocol === 'https:' || isLocal) && !url.username && !url.password && !url.search && !url.hash)
      return text.replace(/\/\.well-known\/openid-configuration$/, '');
    throw new ConfigProblem('must be the issuer of a provider, such as https://id.example.org/realms/example');
  },
};

/** Words that are separated by commas. */
export const words: Schema<readonly string[]> = {
  form: 'a comma-separated list',
  parse: (text) => [...new Set(text.split(',').map((word) => word.trim()))].filter((word) => word !== ''),
};

export const text: Schema<string> = { form: 'text', parse: (value) => value };

/** How to reach a mail server. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /**
   * `tls`: from the first byte (RFC 8314). `starttls`: the server must offer it (RFC 3207). `local`: on this machine, so
   * only if it is offered, with any certificate.
   */
  readonly security: 'tls' | 'starttls' | 'local' | 'off';
  readonly user: string | null;
  readonly password: string | null;
  readonly caFile: string | null;
}

/** May contain a password, so it is never shown. */
export const smtpUrl: Schema<SmtpAddress> = {
  form: '`smtps://user:password@host:465` for TLS, or `smtp://user:password@host:587` for STARTTLS, which the mail server must offer unless it is on this machine or the address ends in `?tls=off`; `?ca=/path/ca.pem` for a CA of your own',
  parse(text) {
    const url = URL.parse(text);
    const options = url && [...url.searchParams];
    const isKnown = options?.every(([name, value]) => (name === 'tls' && value === 'off') || (name === 'ca' && value));
    if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname) || url.hash || !isKnown)
      throw new ConfigProblem(
        'must be an address such as smtps://hub:password@mail.example.org, with special characters in the password ' +
          'percent-encoded (/ is %2F), and with no options but tls=off and ca=/path/ca.pem',
      );
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isLocal = /^(localhost|127\.[\d.]+|::1)$/.test(host);
    const upgrade = url.searchParams.get('tls') === 'off' ? 'off' : isLocal ? 'local' : 'starttls';
    const security = url.protocol === 'smtps:' ? 'tls' : upgrade;
    return {
      host,
      port: Number(url.port) || (security === 'tls' ? 465 : 587),
      security,
      user: url.username === '' ? null : decodeURIComponent(url.username),
      password: url.password === '' ? null : decodeURIComponent(url.password),
      caFile: url.searchParams.get('ca'),
    };
  },
};

/** An e-mail address, with or without a name before it. */
export const mailbox: Schema<{ readonly name: string; readonly address: string }> = {
  form: 'an e-mail address, or a name and the address: `Hub <hub@example.org>`',
  parse(text) {
    const [, name = '', address] = /^(?:([^<>"\p{C}]*)<)?([^\s@<>"\p{C}]+@[^\s@<>"\p{C}]+?)>?$/u.exec(text) ?? [];
    if (address === undefined || text.includes('<') !== text.endsWith('>'))
      throw new ConfigProblem(`must be an address such as hub@example.org or Hub <hub@example.org>, not "${text}"`);
    return { name: name.trim(), address };
  },
};

/** The address of a database as one URL for each of its servers, in their order. */
export interface DatabaseAddress {
  readonly servers: readonly [URL, ...URL[]];
  /** Whether a connection is of use only if it can write: one of several servers may be a standby. */
  readonly needsPrimary: boolean;
}

const PRIMARY = ['read-write', 'primary'];

/** Reads `postgres://user:password@a:5432,b/database?target_session_attrs=read-write`, unknown to Bun; else `null`. */
export function readDatabaseAddress(text: string): DatabaseAddress | null {
  const [, start, hosts = '', rest] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(\/.*)$/.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => URL.parse(`${start}${host}${rest}`));
  const [first, ...others] = urls.flatMap((url) =>
    url && url.hostname !== '' && url.pathname.length > 1 ? [url] : [],
  );
  const wanted = first?.searchParams.get('target_session_attrs') ?? null;
  if (!first || others.length + 1 < urls.length || (wanted !== null && !PRIMARY.includes(wanted))) return null;
  const servers = [first, ...others] as const;
  for (const { searchParams } of wanted === null ? [] : servers) searchParams.delete('target_session_attrs');
  return { servers, needsPrimary: wanted !== null || others.length > 0 };
}
