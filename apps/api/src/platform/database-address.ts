/** The address of a database as one URL for each of its servers, in their order. */
export interface DatabaseAddress {
  readonly servers: readonly [URL, ...URL[]];
  /** Whether a connection is of use only if it can write: one of several servers may be a standby. */
  readonly needsPrimary: boolean;
}

const PRIMARY = ['read-write', 'primary'];

/**
 * Reads `postgres://user:password@a:5432,b:5432/database?target_session_attrs=read-write`, a form that Bun does not know;
 * `null` if it is none.
 */
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
